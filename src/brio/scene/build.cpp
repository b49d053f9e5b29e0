#include "brio/core/error.hpp"
#include "brio/energy/energy_table.hpp"
#include "brio/energy/joint_energy.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/energy/tie_energy.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/integrate/methods/bone_integrator.hpp"
#include "brio/integrate/parts/body_contact.hpp"
#include "brio/integrate/parts/velocity_operator.hpp"
#include "brio/scene/condensation.hpp"
#include "brio/scene/contact.hpp"
#include "brio/scene/engine_choice.hpp"
#include "brio/scene/initial_state.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/mesh_obstacle.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/ties.hpp"
#include "brio/scene/untangle.hpp"
#include "brio/scene/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace brio {
namespace {

std::shared_ptr<const Motion> motion_of(const Item& item) { return make_item(motions(), item, item.path); }

std::vector<int> all_of(int n) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// A vertex in two constrained sets follows the first of them.
std::vector<Support> supports_of(const Scene& scene, const VertexSets& sets, int vertices,
                                 std::vector<std::string>& notes) {
  std::vector<char> taken(vertices, 0);
  std::vector<Support> supports;
  for (const ConstraintSpec& constraint : scene.constraints) {
    Support support{{}, motion_of(constraint.motion)};
    const VertexSet& set = sets.at(constraint.set);
    for (int v : set)
      if (!taken[v]) support.vertices.push_back(v), taken[v] = 1;
    if (const size_t shared = set.size() - support.vertices.size(); shared > 0) {
      notes.push_back(
          fmt::format("{}: {} of the {} vertices of \"{}\" already follow an earlier constraint and stay with it",
                      constraint.motion.path, shared, set.size(), constraint.set));
    }
    supports.push_back(std::move(support));
  }
  return supports;
}

/// The vertices whose path is recorded; none where the scene names none.
std::vector<int> probe_of(const Scene& scene, const VertexSets& sets, int vertices) {
  if (!scene.output.probe) return {};
  if (const auto* set = std::get_if<std::string>(&*scene.output.probe)) return sets.at(*set);
  const int vertex = std::get<int>(*scene.output.probe);
  if (vertex >= vertices)
    throw Error("output.probe = {}: there is no such vertex; there are {}, counted from 0", vertex, vertices);
  return {vertex};
}

std::vector<std::unique_ptr<VelocityOperator>> operators_of(const Scene& scene, const Integrator& integrator) {
  std::vector<std::unique_ptr<VelocityOperator>> operators;
  const auto rough = [](const ObstacleSpec& obstacle) { return obstacle.friction > 0; };
  const bool met = scene.contact || integrator.meets_obstacles();
  if (!met && std::any_of(scene.obstacles.begin(), scene.obstacles.end(), rough))
    operators.push_back(friction());
  if (scene.damping.deformation > 0) operators.push_back(deformation_damping(scene.damping.deformation));
  return operators;
}

/// The bodies that a cut without a name meets: those of tetrahedra alone.
std::vector<int> bodies_to_cut(const std::vector<Body>& bodies, const std::optional<std::string>& name,
                               const std::string& path) {
  std::vector<int> cut;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const bool whole = bodies[b].mesh.tets() > 0 && bodies[b].bones == 0 && !bodies[b].skin;
    if (!(name ? bodies[b].name == *name : whole)) continue;
    if (bodies[b].mesh.order() == 2)
      throw Error("{}: {} has quadratic tetrahedra, which cannot be cut; give its mesh \"order\": 1", path,
                  bodies[b].name.empty() ? "the body" : "\"" + bodies[b].name + "\"");
    cut.push_back(static_cast<int>(b));
  }
  return cut;
}

std::vector<SceneCut> cuts_of(const Scene& scene, const std::vector<Body>& bodies) {
  std::vector<SceneCut> cuts;
  for (const CutSpec& spec : scene.cuts) {
    const CutOptions options{spec.faces ? CutOptions::Through::faces : CutOptions::Through::elements, spec.snap};
    cuts.push_back({spec.surface.path, spec.surface.name, spec.time, make_item(cutting_surfaces(), spec.surface),
                    spec.current, bodies_to_cut(bodies, spec.body, spec.surface.path), options});
  }
  std::stable_sort(cuts.begin(), cuts.end(), [](const SceneCut& a, const SceneCut& b) { return a.time < b.time; });
  return cuts;
}

/// Bodies begin as the scene says, bones as their joints say.
/// Squares of positions and velocities must be numbers.
void refuse_overflow(const BodySpec& spec, const MatrixX3d& x, const MatrixX3d& u) {
  const InitialSpec& initial = spec.initial;
  const std::string path = spec.path.empty() ? "initial" : spec.path + ".initial";
  const auto text = [](const Vec3& v) { return fmt::format("[{:g}, {:g}, {:g}]", v[0], v[1], v[2]); };
  if (!std::isfinite(u.squaredNorm())) {
    const bool turns = std::isfinite(initial.velocity.squaredNorm());
    throw Error("{}.{} = {}: too large; the energy of the motion is no number", path,
                turns ? "angular_velocity" : "velocity", text(turns ? initial.angular_velocity : initial.velocity));
  }
  if (!std::isfinite(x.squaredNorm())) throw Error("{}.stretch = {}: too large", path, text(initial.stretch));
}

State start_of(const Simulation& simulation, const std::optional<SkeletonBody>& skeleton) {
  const NodalSystem& system = *simulation.system;
  MatrixX3d x = system.rest_positions(), u = MatrixX3d::Zero(x.rows(), 3), own_u;
  for (size_t b = 0; b < simulation.bodies.size(); ++b) {
    const Body& body = simulation.bodies[b];
    if (body.bones > 0 || body.vertices() == 0) continue;
    MatrixX3d own_x = body.own(x);
    begin_body(simulation.scene->bodies[b].initial, body.mass, own_x, own_u);
    refuse_overflow(simulation.scene->bodies[b], own_x, own_u);
    x.middleRows(body.first, body.vertices()) = own_x;
    u.middleRows(body.first, body.vertices()) = own_u;
  }
  if (skeleton) {
    x(skeleton->points->vertices(), Eigen::all) = skeleton->x;
    u(skeleton->points->vertices(), Eigen::all) = skeleton->u;
  }
  return {0, system.free_part(x), system.free_part(u), {}};
}

/// Bones are stepped by their joints.
void move_by_joints(Simulation& simulation) {
  const std::string& name = simulation.integrator_name;
  if (!find_row(integrators(), "integrator", name).restartable)
    throw Error(
        "integrator.name = \"{}\": not for bones: it remembers past steps in coordinates that are others now; take one "
        "of {}",
        name, restartable_integrators());
  const auto& condensation = simulation.scene->condensation;
  simulation.integrator = std::make_unique<BoneIntegrator>(simulation.bones, std::move(simulation.integrator),
                                                           condensation && condensation->adaptive);
}

/// What strains a body from inside.
void add_elastic(const Body& body, int number, NodalParts& parts, std::vector<const SolidEnergy*>& elastic) {
  if (body.mesh.tets() > 0) {
    auto energy = make_solid_energy(body.mesh, body.elastic, body.first);
    elastic.push_back(energy.get());
    parts.energies.emplace_back(std::move(energy), number);
    if (!body.muscles.empty())
      parts.energies.emplace_back(std::make_unique<MuscleEnergy>(body.mesh, body.muscles, body.first), number);
  } else if (body.net.vertices() > 0) {
    parts.energies.emplace_back(
        std::make_unique<SpringEnergy>(body.net.X, body.net.springs, body.spring_stiffness, body.first), number);
  }
}

/// All skeletons move as one, but each body has the energy of its own joints.
void add_joints(const SkeletonBody& skeleton, NodalParts& parts) {
  std::map<int, std::vector<int>> bones_of;
  for (int bone = 0; bone < std::ssize(skeleton.owner); ++bone) bones_of[skeleton.owner[bone]].push_back(bone);
  for (auto& [body, bones] : bones_of)
    parts.energies.emplace_back(std::make_unique<JointEnergy>(skeleton.points, std::move(bones)), body);
}

/// The body that all the vertices belong to, or none of them.
int owner_of(const VertexSet& vertices, const std::vector<int>& body_of_vertex) {
  for (int v : vertices)
    if (body_of_vertex[v] != body_of_vertex[vertices.front()]) return OwnedEnergy::kBetweenBodies;
  return vertices.empty() ? OwnedEnergy::kBetweenBodies : body_of_vertex[vertices.front()];
}

void add_attachments(const Scene& scene, const Simulation& simulation, const World& world, NodalParts& parts) {
  for (const AttachmentSpec& attachment : scene.attachments) {
    const VertexSet& set = simulation.sets.at(attachment.set);
    if (attachment.to) {
      parts.energies.emplace_back(
          std::make_unique<TieEnergy>(find_ties(attachment, set, simulation.bodies, simulation.sets, world),
                                      attachment.stiffness),
          OwnedEnergy::kBetweenBodies);
    } else {
      parts.energies.emplace_back(
          std::make_unique<AttachmentEnergy>(set, parts.x0, attachment.stiffness, motion_of(attachment.motion)),
          owner_of(set, world.body_of_vertex));
    }
  }
}

void add_obstacles(const Scene& scene, const World& world, Simulation& simulation, NodalParts& parts) {
  for (const ObstacleSpec& obstacle : scene.obstacles) {
    std::shared_ptr<const Motion> motion = obstacle.motion ? motion_of(*obstacle.motion) : stand_still();
    if (obstacle.mesh) {  // touched as bodies are; see make_collision_surface()
      ObstacleDrawing drawing;
      drawing.kind = ObstacleDrawing::Kind::mesh;
      drawing.surface = std::make_shared<const TriangleSurface>(load_mesh_obstacle(obstacle, simulation.notes));
      simulation.obstacles.push_back({obstacle.shape.path, std::move(drawing), motion});
      continue;
    }
    std::shared_ptr<const ObstacleShape> shape = make_item(obstacle_shapes(), obstacle.shape, obstacle.shape.path);
    simulation.obstacles.push_back({obstacle.shape.path, shape->drawing(), motion});
    for (size_t b = 0; b < simulation.bodies.size(); ++b)
      parts.energies.emplace_back(
          std::make_unique<ContactEnergy>(world.contact[b].vertices, world.contact[b].area,
                                          obstacle.stiffness.value_or(world.contact_stiffness[b]), shape, motion,
                                          obstacle.friction, obstacle.tangential),
          static_cast<int>(b));
  }
}

/// Energies of attachments and obstacles are where add_attachments() and add_obstacles() have put them: from `first`
/// on.
Reactions reactions_of(const Simulation& simulation, const World& world, const NodalParts& parts, size_t first) {
  const Scene& scene = *simulation.scene;
  const VertexSets& sets = simulation.sets;
  Reactions reactions;
  for (size_t c = 0; c < parts.supports.size(); ++c)
    reactions.sources.push_back({scene.constraints[c].motion.path,
                                 scene.constraints[c].set,
                                 {},
                                 parts.supports[c].vertices,
                                 parts.supports[c].motion});
  for (const AttachmentSpec& attachment : scene.attachments)
    reactions.sources.push_back(
        {attachment.path, attachment.set, {parts.energies[first++].energy.get()}, sets.at(attachment.set), nullptr});
  int plain = 0;                       // number among the obstacles that are no surfaces
  int of_surfaces = world.vertices();  // obstacles of triangles have the vertices after those of the bodies
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const ObstacleSpec& obstacle = scene.obstacles[i];
    if (const auto& surface = simulation.obstacles[i].drawing.surface) {
      std::vector<int> vertices(surface->vertices());
      std::iota(vertices.begin(), vertices.end(), of_surfaces);
      of_surfaces += static_cast<int>(vertices.size());
      reactions.sources.push_back(
          {obstacle.shape.path, "", {}, std::move(vertices), simulation.obstacles[i].motion, surface});
      continue;
    }
    ReactionSource& source =
        reactions.sources.emplace_back(ReactionSource{obstacle.shape.path, "", {}, all_of(world.vertices()), nullptr});
    source.obstacle = plain++;
    for (size_t b = 0; b < world.contact.size(); ++b) source.energies.push_back(parts.energies[first++].energy.get());
  }
  for (const OwnedEnergy& owned : parts.energies) reactions.energies.push_back(owned.energy.get());
  for (const auto& load : parts.loads) reactions.loads.push_back(load.get());
  return reactions;
}

/// Energies of the table that the scene names.
void add_energies(const Scene& scene, const Simulation& simulation, const World& world, NodalParts& parts) {
  if (scene.energies.empty()) return;
  const TetMesh tetrahedra = simulation.tetrahedra();
  for (const EnergySpec& spec : scene.energies) {
    const VertexSet set = spec.set ? simulation.sets.at(*spec.set) : all_of(world.vertices());
    parts.energies.emplace_back(
        make_item(energies(), spec.energy, EnergyTarget{set, world.x0, world.mass, tetrahedra.T, world.triangles}),
        owner_of(set, world.body_of_vertex));
  }
}

/// Whether something holds the bodies in space, so that they can come to rest under their weight.
bool is_held(const Scene& scene, const Simulation& simulation) {
  if (simulation.bodies.size() > 1) return simulation.system->free_pieces().empty();
  const auto holds = [&](const auto& spec) { return !simulation.sets.at(spec.set).empty(); };
  return simulation.bones || (!scene.energies.empty() && simulation.system->free_pieces().empty()) ||
         std::any_of(scene.constraints.begin(), scene.constraints.end(), holds) ||
         std::any_of(scene.attachments.begin(), scene.attachments.end(), holds);
}

/// Everything but the integrator and the state; for bodies at the start or after a cut. The skeleton's motors go into
/// the system.
Simulation assembled(std::shared_ptr<const Scene> shared_scene, std::vector<Body> bodies, World& world,
                     VertexSets sets) {
  const Scene& scene = *shared_scene;
  Simulation simulation;
  simulation.scene = std::move(shared_scene);
  simulation.bodies = std::move(bodies);
  simulation.sets = std::move(sets);
  for (const Body& body : simulation.bodies)
    for (const std::string& note : body.notes)  // copies have theirs in common
      if (std::find(simulation.notes.begin(), simulation.notes.end(), note) == simulation.notes.end())
        simulation.notes.push_back(note);

  NodalParts parts;
  parts.x0 = world.x0;
  parts.vertex_mass = world.mass;
  for (size_t b = 0; b < simulation.bodies.size(); ++b)
    add_elastic(simulation.bodies[b], static_cast<int>(b), parts, simulation.elastic);
  if (world.skeleton) add_joints(*world.skeleton, parts);
  for (size_t b = 0; b < simulation.bodies.size() && !scene.gravity.isZero(); ++b)
    parts.energies.emplace_back(std::make_unique<GravityEnergy>(world.mass, scene.gravity, world.vertices_of[b]),
                                static_cast<int>(b));
  const size_t first_attachment = parts.energies.size();
  add_attachments(scene, simulation, world, parts);
  add_obstacles(scene, world, simulation, parts);
  if (auto energy = make_surface_contact(scene, simulation, world))
    parts.energies.emplace_back(std::move(energy), OwnedEnergy::kBetweenBodies);
  add_energies(scene, simulation, world, parts);
  for (const auto& make : scene.program_energies)
    parts.energies.emplace_back(make(world.vertices()), OwnedEnergy::kBetweenBodies);
  for (const LoadSpec& load : scene.loads) {
    const LoadTarget target{load.set ? simulation.sets.at(*load.set) : all_of(world.vertices()), world.mass,
                            world.triangles};
    parts.loads.push_back(make_item(loads(), load.load, target));
  }
  if (world.skeleton)
    for (auto& motor : world.skeleton->motors) parts.loads.push_back(std::move(motor));
  parts.supports = supports_of(scene, simulation.sets, world.vertices(), simulation.notes);
  parts.damping = {scene.damping.alpha, scene.damping.beta, !scene.damping.current_stiffness};

  parts.engine = engine_of(scene);
  simulation.reactions = reactions_of(simulation, world, parts, first_attachment);
  simulation.triangles = std::move(world.triangles);
  simulation.body_of_vertex = std::move(world.body_of_vertex);
  simulation.system = std::make_unique<NodalSystem>(std::move(parts));
  if (simulation.system->dofs() == 0) {
    throw Error("constraints: all {} vertices are held, nothing is left to move", simulation.system->vertices());
  }
  if (world.skeleton) simulation.bones = world.skeleton->points;
  note_engine(simulation);
  simulation.held = is_held(scene, simulation);
  simulation.integrator_name = scene.integrator.name;
  simulation.h = scene.h;
  simulation.steps = scene.steps;
  simulation.every = scene.output.every;
  return simulation;
}

Simulation built(const Scene& scene) {
  std::vector<Body> bodies = make_bodies(scene);
  World world = make_world(scene, bodies);
  VertexSets sets = world_sets(scene, bodies, world);
  std::vector<int> probe = probe_of(scene, sets, world.vertices());
  Simulation simulation = assembled(std::make_shared<const Scene>(scene), std::move(bodies), world, std::move(sets));
  simulation.probe = std::move(probe);
  simulation.cuts = cuts_of(scene, simulation.bodies);
  simulation.state = start_of(simulation, world.skeleton);
  if (scene.contact && scene.contact->untangle) untangle(simulation);
  look_for_intersections(simulation);
  make_integrator(simulation);
  return simulation;
}

/// Whether the amplitude of a slow vibration stays what it is.
bool keeps_energy(const Item& method) {
  const IntegratorEntry& row = find_row(integrators(), method.path, method.name);
  constexpr double kSlow = 0.3, kKept = 1e-9;
  return row.amplification && row.amplification(method.options, kSlow) > 1 - kKept;
}

}  // namespace

void make_integrator(Simulation& simulation) {
  const Scene& scene = *simulation.scene;
  refuse_engine_without_memory(simulation);
  if (scene.condensation)
    condense(scene, simulation);
  else
    simulation.integrator = make_item(integrators(), scene.integrator);
  if (simulation.system->surfaces())
    simulation.integrator = with_body_contact(std::move(simulation.integrator), keeps_energy(scene.integrator));
  if (simulation.bones) move_by_joints(simulation);
  auto operators = operators_of(scene, *simulation.integrator);
  simulation.integrator = with_operators(std::move(simulation.integrator), std::move(operators));
  simulation.integrator->prepare(*simulation.system);
  const IntegratorEntry& method = find_row(integrators(), "integrator", scene.integrator.name);
  const std::string warning = method.warning ? method.warning(scene.integrator.options, *simulation.system) : "";
  if (!warning.empty()) simulation.notes.push_back(warning);
}

Simulation build_simulation(const Scene& scene) {
  try {
    return built(scene);
  } catch (const Error& error) {
    throw Error("{}: {}", scene.file.string(), error.what());
  }
}

Simulation rebuild_simulation(const Simulation& before, std::vector<Body> bodies, VertexSets sets) {
  number_vertices(bodies);
  World world = make_world(*before.scene, bodies);
  Simulation simulation = assembled(before.scene, std::move(bodies), world, std::move(sets));
  simulation.probe = before.probe;
  simulation.cuts = before.cuts;
  simulation.steps = before.steps;
  simulation.every = before.every;
  return simulation;
}

}  // namespace brio
