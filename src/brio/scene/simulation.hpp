#pragma once
// A scene made ready to run: the body, the system that moves it, the integrator and the state it starts from.

#include "brio/energy/obstacle.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/mesh/cutting/cut.hpp"
#include "brio/mesh/embedding.hpp"
#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"
#include "brio/scene/scene.hpp"
#include "brio/system/nodal_system.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brio {

class BonePoints;
class ElasticEnergy;

/// An obstacle with what a picture of it needs.
struct SceneObstacle {
  ObstacleDrawing drawing;
  std::shared_ptr<const Motion> motion;
};

/// A cut that is due at its time.
struct SceneCut {
  std::string path;  ///< in the scene file: "cuts[0]"
  std::string kind;
  double time = 0;  ///< [s]
  std::shared_ptr<const CuttingSurface> surface;
  bool current = false;  ///< the surface is where the body is now, not where it is at rest
  CutOptions options;
};

struct Simulation {
  Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  std::shared_ptr<const Scene> scene;       ///< what it was built from
  TetMesh mesh;                             ///< of a solid; without vertices for a spring net
  SpringNet net;                            ///< of a spring net; without vertices for a solid
  std::shared_ptr<const BonePoints> bones;  ///< of a skeleton, else null; their vertices come after the mesh's
  MatrixX3i triangles;                      ///< the body's surface, outward
  std::shared_ptr<const Skin> skin;         ///< a detailed surface that the body carries; may be null
  std::map<std::string, std::vector<int>> sets;
  std::vector<int> probe;  ///< vertices whose mean path is recorded; may be empty
  std::vector<SceneObstacle> obstacles;
  std::vector<SceneCut> cuts;               ///< in order of time
  std::map<int, std::string> region_names;  ///< from the mesh file
  double contact_stiffness = 0;             ///< of obstacles that have none of their own [Pa/m]
  bool held = false;                        ///< whether a support or an attachment holds some vertex
  std::vector<std::string> notes;           ///< what was mended or left out on the way, for people to read

  std::unique_ptr<NodalSystem> system;
  const ElasticEnergy* elastic = nullptr;  ///< inside the system; null for a spring net
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
  /// Tetrahedra, springs or bones: how many there are, and what they are called.
  int elements() const;
  const char* element_name() const;
  /// Deformation of each vertex, for pictures.
  VectorXd strain(const MatrixX3d& x) const;
};

/// Throws Error, naming the place in the scene file, for everything that cannot be simulated.
Simulation build_simulation(const Scene& scene);

/// The same scene on another mesh of the same body, without a state and an integrator.
Simulation rebuild_simulation(const Simulation& before, TetMesh mesh, std::map<std::string, std::vector<int>> sets);

/// The scene's integrator, made afresh for the simulation's body and state. Of a condensed body the nodes are chosen
/// here.
void make_integrator(Simulation& simulation);

}  // namespace brio
