#pragma once
// A scene as plain data: what the file says, checked and completed with the defaults, before any mesh exists.

#include "brio/core/options.hpp"
#include "brio/scene/tables.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace brio {

class Energy;

/// Scale, then rotate about the origin, then translate.
struct Transform {
  double scale = 1;
  Vec3 rotate_axis = {0, 1, 0};
  double rotate_degrees = 0;   // [deg]
  Vec3 translate = {0, 0, 0};  // [m]
};

struct MeshSpec {
  enum class Source { generate, file, surface, springs, none } source = Source::generate;
  Item generator;              ///< of `generate` and of `springs`; of `surface`, how fine
  std::filesystem::path file;  ///< of `file` and of `surface`, ready to open
  std::optional<Transform> transform;
  std::optional<std::filesystem::path> skin;  ///< ready to open
  std::optional<int> order;                   ///< of the tetrahedra; without it as the file has them, else 1
  int refine = 0;                             ///< how often each tetrahedron is divided into eight
};

/// Muscle: fibers that pull when they are activated.
struct ActiveSpec {
  double stress = 0;             ///< at full activation and the best length [Pa]
  double width = 0;              ///< how far from the best length they still pull
  std::vector<Pair> activation;  ///< (time [s], 0 … 1)
};

/// Stiffness that changes along an axis, as towards a tendon.
struct GradedSpec {
  int axis = 0;
  double from = 0, to = 0;  // [m]
  Pair factor = {1, 1};     ///< on the stiffness, at the two places
};

struct FiberSpec {
  Item law;
  std::optional<Vec3> direction;  ///< not normalized; without it the mesh must have fibers
  std::optional<ActiveSpec> active;
};

struct MaterialSpec {
  std::vector<int> regions;  ///< empty: see region_name
  std::string region_name;   ///< "all", or a group of the mesh file
  Item law;
  double rho = 0;  // [kg/m^3]
  std::optional<FiberSpec> fiber;
  std::optional<GradedSpec> graded;
};

/// Springs with both ends in a set are softer or stiffer than the others.
struct SpringPatch {
  std::string set;
  double factor = 1;
};

struct SpringSpec {
  double stiffness = 0, shear_stiffness = 0, bend_stiffness = 0;  // [N/m]
  std::optional<double> vertex_mass, total_mass;                  ///< one of them [kg]
  std::vector<SpringPatch> patches;                               ///< where two share a spring, the later one wins
};

/// A rigid body, described where it is in the rest pose.
struct BoneSpec {
  std::string name;
  Item shape;
  double density = 0;                  // [kg/m^3]
  std::optional<double> mass;          ///< in place of the density [kg]
  std::optional<Vec3> center_of_mass;  ///< in place of the shape's [m]
  std::optional<Vec3> inertia;         ///< about x, y, z through the center of mass, in place of the shape's [kg m^2]
  std::string parent;                  ///< "" for the world
  Item joint;
  std::optional<std::string> tissue;  ///< the set of vertices of the mesh that it carries
};

struct SetSpec {
  std::string name;
  Item selector;
};

struct ConstraintSpec {
  std::string set;
  Item motion;
};

struct AttachmentSpec {
  std::string set;
  double stiffness = 0;           ///< per vertex [N/m]
  Item motion;                    ///< of the targets, where they are places
  std::optional<std::string> to;  ///< the body or set that the vertices are tied to, instead of places
  std::string path;               ///< "attachments[0]"
};

struct ObstacleSpec {
  Item shape;
  std::optional<MeshSpec> mesh;     ///< of the shape "mesh": a surface
  std::optional<double> stiffness;  ///< pressure per depth [Pa/m]; chosen to suit the body where absent
  std::optional<Item> motion;
  double friction = 0;    ///< Coulomb's coefficient
  double tangential = 0;  ///< share of the contact stiffness that acts along the surface
};

/// What holds between two bodies, or two sets of vertices.
struct ContactPairSpec {
  std::string first, second;
  bool ignore = false;             ///< they pass through each other
  std::optional<double> friction, static_friction;  ///< in place of the scene's
  std::string path;                ///< "contact.pairs[0]"
};

/// Bodies that touch each other.
struct ContactSpec {
  bool between = true;              ///< or obstacles of triangles alone, in a scene that has them and no "contact"
  bool self = true;                 ///< and themselves
  std::optional<double> distance;   ///< gap below which they push [m]
  std::optional<double> stiffness;  ///< [Pa/m]
  double thickness = 0;             ///< of cloth and ropes [m]
  double friction = 0;              ///< Coulomb's coefficient
  std::optional<double> static_friction;  ///< of what holds, where it is another one
  bool guarantee = true;            ///< that no step ends with a new intersection
  bool untangle = false;            ///< bodies that begin in each other are moved apart
  std::vector<ContactPairSpec> pairs;
};

struct LoadSpec {
  Item load;
  std::optional<std::string> set;  ///< all vertices without
};

/// A potential energy besides those of materials, gravity, attachments and obstacles.
struct EnergySpec {
  Item energy;
  std::optional<std::string> set;  ///< all vertices without
};

/// A cut of the body at the end of the first step that reaches its time.
struct CutSpec {
  Item surface;
  double time = 0;                  // [s]
  bool faces = false;               ///< between elements only
  bool current = false;             ///< the surface is given where the body is now, not where it is at rest
  double snap = 0.1;                ///< in parts of edges
  std::optional<std::string> body;  ///< which body; all of tetrahedra without
};

struct DampingSpec {
  double alpha = 0;  // [1/s]
  double beta = 0;   // [s]
  bool current_stiffness = false;
  double deformation = 0;  ///< of the velocities that are not rigid motion [1/s]
};

/// Nodes that sleep while nothing happens around them.
struct AdaptiveSpec {
  double threshold = 0;   // [1/s]
  int window = 1;         ///< steps
  double hysteresis = 0;  ///< part of the threshold
};

/// A few vertices move dynamically and the others follow ([CONJAC]).
struct CondensationSpec {
  Item nodes;           ///< how they are chosen
  double gamma = 0;     ///< part of the Newton step that the others take
  bool newton = false;  ///< they are brought to rest in every step
  bool initial = true;  ///< and at the start
  std::optional<AdaptiveSpec> adaptive;
};

struct InitialSpec {
  Vec3 velocity = {0, 0, 0};          // [m/s]
  Vec3 angular_velocity = {0, 0, 0};  ///< about the center of mass [rad/s]
  Vec3 stretch = {1, 1, 1};           ///< about the centroid
  double twist_degrees = 0;           ///< between the two ends along the axis [deg]
  int twist_axis = 0;
  double jitter = 0;  // [m]
  int seed = 1;
};

/// One body: what it is made of, where it is and how it begins.
struct BodySpec {
  std::string name;   ///< "" in a scene that has one body and no "bodies"
  std::string path;   ///< of its keys in the file: "bodies.cow", or "" where they stand at the top
  std::string group;  ///< of copies, the name that they have in common; "" otherwise
  MeshSpec mesh;
  std::vector<MaterialSpec> materials;  ///< where two name a region, the later one wins
  std::optional<SpringSpec> springs;
  std::vector<BoneSpec> bones;
  std::vector<SetSpec> sets;  ///< places in them are those of the body before its own transform
  InitialSpec initial;
  std::optional<Transform> transform;  ///< into the world, after the mesh's own
  size_t original = 0;                 ///< the body that has the same mesh; itself where it has its own
};

struct OutputSpec {
  int every = 1;  ///< steps from frame to frame
  std::vector<std::string> frames;
  std::optional<std::variant<int, std::string>> probe;  ///< a vertex or a set
  bool stress = false;                                  ///< in the files of frames
};

struct Scene {
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();

  std::filesystem::path file;
  std::string text;  ///< of the file, with what was put in the place of its values, on one line
  std::string name, description;
  std::vector<BodySpec> bodies;  ///< at least one
  std::vector<SetSpec> sets;     ///< of all the bodies together, where there are several
  std::vector<ConstraintSpec> constraints;
  std::vector<AttachmentSpec> attachments;
  Vec3 gravity = {0, -9.81, 0};  // [m/s^2]
  std::vector<ObstacleSpec> obstacles;
  std::optional<ContactSpec> contact;
  std::vector<LoadSpec> loads;
  std::vector<EnergySpec> energies;
  /// Of the program that runs the scene, not of the file: makers of energies for a number of vertices.
  std::vector<std::function<std::unique_ptr<Energy>(int vertices)>> program_energies;
  std::vector<CutSpec> cuts;
  DampingSpec damping;
  std::optional<CondensationSpec> condensation;
  Item integrator;
  double h = 0;  ///< time step [s]
  std::string engine = "direct";
  double engine_tolerance = 0;  ///< 0: the engine's own
  std::string engine_options;   ///< of an engine that has a language of its own
  int steps = 0;
  OutputSpec output;
};

/// Reads and checks a scene file. Each override is "key.path=value", as in `--set integrator.h=0.005`. Throws one
/// Error with a line for every problem found.
Scene load_scene(const std::filesystem::path& file, const SceneTables& tables,
                 const std::vector<std::string>& overrides = {});

/// The same for text that is already at hand; `file` serves the messages and the paths inside the scene.
Scene parse_scene(const std::string& text, const std::filesystem::path& file, const SceneTables& tables,
                  const std::vector<std::string>& overrides = {});

}  // namespace brio
