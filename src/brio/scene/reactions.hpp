#pragma once
// What holds the bodies and what they touch, and with which force: each constraint, attachment and obstacle. With R the
// forces of constraints, sum R = sum m a - weight - loads - (attachments, obstacles), since elastic forces add up to
// zero; damping is not in them.

#include "brio/energy/energy.hpp"
#include "brio/mesh/triangle_surface.hpp"
#include "brio/system/nodal_system.hpp"

#include <string>
#include <vector>

namespace brio {

struct ContactForces;  // integrate/contact_forces.hpp

/// Sum of forces on vertices, and of their torques about the origin.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
};

/// One line of reactions.csv a step. The pointers are into the system of the simulation.
struct ReactionSource {
  std::string path;                     ///< in the scene file: "constraints[0]"
  std::string set;                      ///< of vertices; "" for obstacles
  std::vector<const Energy*> energies;  ///< of an attachment or an obstacle; none of a constraint
  std::vector<int> vertices;  ///< that it acts on; of an obstacle of triangles its own, as ContactForces has them
  std::shared_ptr<const Motion> motion;                      ///< of a constraint or an obstacle of triangles
  std::shared_ptr<const TriangleSurface> surface = nullptr;  ///< of an obstacle of triangles
  int obstacle = -1;                                         ///< its number among those that are no surfaces
};

class Reactions {
 public:
  std::vector<ReactionSource> sources;
  std::vector<const Energy*> energies;  ///< all of the system
  std::vector<const Load*> loads;

  /// The forces on the bodies at a state, one for each source. The vertices of a constraint have the mean acceleration
  /// of the step of length h that ends there. `contact`: of surfaces that touch at its end; obstacles of triangles have
  /// no force without it.
  std::vector<Reaction> measure(const NodalSystem& system, const State& state, double h,
                                const ContactForces* contact = nullptr) const;
};

}  // namespace brio
