#pragma once
// A scene made ready to run: its bodies, the system that moves them, the integrator and the state it starts from.

#include "brio/core/scratch_pool.hpp"
#include "brio/diagnose/stress.hpp"
#include "brio/energy/motion.hpp"
#include "brio/energy/obstacle.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/mesh/cutting/cut.hpp"
#include "brio/scene/body.hpp"
#include "brio/scene/reactions.hpp"
#include "brio/system/nodal_system.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brio {

class BonePoints;
class SolidEnergy;

/// An obstacle with what a picture of it needs.
struct SceneObstacle {
  std::string path;  ///< in the scene file: "obstacles[0]"
  ObstacleDrawing drawing;
  std::shared_ptr<const Motion> motion;
};

/// A cut that is due at its time.
struct SceneCut {
  std::string path;  ///< in the scene file: "cuts[0]"
  std::string kind;
  double time = 0;  ///< [s]
  std::shared_ptr<const CuttingSurface> surface;
  bool current = false;     ///< the surface is where the body is now, not where it is at rest
  std::vector<int> bodies;  ///< which ones it cuts
  CutOptions options;
};

struct Simulation {
  Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  std::shared_ptr<const Scene> scene;       ///< what it was built from
  std::vector<Body> bodies;                 ///< at least one; several in the order of their names
  std::vector<int> body_of_vertex;          ///< whose each vertex is: number of the body
  std::shared_ptr<const BonePoints> bones;  ///< of all bodies, else null; their vertices come after all others
  MatrixX3i triangles;                      ///< the surfaces of all bodies, outward
  /// Of vertices by name. In a scene with "bodies": "body.set", "body" for all its vertices, and sets across bodies.
  VertexSets sets;
  std::vector<int> probe;  ///< vertices whose mean path is recorded; may be empty
  std::vector<SceneObstacle> obstacles;
  std::vector<SceneCut> cuts;      ///< in order of time
  bool held = false;               ///< whether a support or an attachment holds some vertex
  std::vector<std::string> notes;  ///< what was mended or left out on the way, for people to read

  std::unique_ptr<NodalSystem> system;
  Reactions reactions;                        ///< of what holds the bodies and what they touch
  std::vector<const SolidEnergy*> elastic;  ///< of the bodies of tetrahedra, inside the system
  std::unique_ptr<Integrator> integrator;
  std::string integrator_name;
  std::vector<int> dynamic_nodes;   ///< of a condensed body, all of them
  std::vector<int> adaptive_nodes;  ///< those of them that may fall asleep, in the order of StepReport::liveliness
  std::vector<int> node_region;     ///< of each vertex, which of these is nearest to it; -1: none; empty without them
  State state;
  double h = 0;   ///< [s]
  int steps = 0;  ///< to take
  int every = 1;  ///< steps from frame to frame

  int vertices() const { return system->vertices(); }
  /// Tetrahedra, springs or bones: how many there are, and what they are called ("elements" where there are several
  /// kinds).
  int elements() const;
  const char* element_name() const;
  /// Deformation of each vertex, for pictures; none in bones.
  VectorXd strain(const MatrixX3d& x) const;
  /// Of the tetrahedra of all bodies, eight times the same for each quadratic one, and of all vertices; nothing where
  /// there are none. Zero at vertices of nets and bones.
  std::optional<BodyStress> stress(const MatrixX3d& x, StressDetail detail = StressDetail::all) const;
  ScratchPool<StressRoom> stress_room;  ///< what stress() works in
  /// Nothing where there are no tetrahedra.
  std::optional<Determinants> determinants(const MatrixX3d& x) const;
  /// All tetrahedra with the vertices of all meshes and nets, which have the same numbers as among all vertices;
  /// quadratic ones as eight linear ones each.
  TetMesh tetrahedra() const;
};

/// Throws Error, naming the place in the scene file, for everything that cannot be simulated.
Simulation build_simulation(const Scene& scene);

/// The same scene with other bodies in the place of its own, as after a cut, without a state and an integrator.
Simulation rebuild_simulation(const Simulation& before, std::vector<Body> bodies, VertexSets sets);

/// The scene's integrator, made afresh and prepared for the simulation's body and state. Of a condensed body the nodes
/// are chosen here. Throws Error for a method that cannot drive the body.
void make_integrator(Simulation& simulation);

}  // namespace brio
