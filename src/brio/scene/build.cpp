#include "brio/core/error.hpp"
#include "brio/diagnose/strain.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/integrate/methods/bone_integrator.hpp"
#include "brio/integrate/parts/velocity_operator.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/scene/body.hpp"
#include "brio/scene/condensation.hpp"
#include "brio/scene/initial_state.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    throw Error("output.probe = {}: there is no such vertex; the body has {}, counted from 0", vertex, vertices);
  return {vertex};
}

std::vector<std::unique_ptr<VelocityOperator>> operators_of(const Scene& scene) {
  std::vector<std::unique_ptr<VelocityOperator>> operators;
  const auto rough = [](const ObstacleSpec& obstacle) { return obstacle.friction > 0; };
  if (std::any_of(scene.obstacles.begin(), scene.obstacles.end(), rough)) operators.push_back(friction());
  if (scene.damping.deformation > 0) operators.push_back(deformation_damping(scene.damping.deformation));
  return operators;
}

std::vector<SceneCut> cuts_of(const Scene& scene) {
  std::vector<SceneCut> cuts;
  for (const CutSpec& spec : scene.cuts) {
    const CutOptions options{spec.faces ? CutOptions::Through::faces : CutOptions::Through::elements, spec.snap};
    cuts.push_back({spec.surface.path, spec.surface.name, spec.time, make_item(cutting_surfaces(), spec.surface),
                    spec.current, options});
  }
  std::stable_sort(cuts.begin(), cuts.end(), [](const SceneCut& a, const SceneCut& b) { return a.time < b.time; });
  return cuts;
}

/// Bones begin as their joints say.
State start_of_bones(const NodalSystem& system, const BoneBody& bones) {
  MatrixX3d x = system.rest_positions(), u = MatrixX3d::Zero(x.rows(), 3);
  x(bones.points->vertices(), Eigen::all) = bones.x;
  u(bones.points->vertices(), Eigen::all) = bones.u;
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

/// Everything but the integrator and, unless bones have their own, the state; for a body at the start or after a cut.
Simulation assembled(std::shared_ptr<const Scene> shared_scene, Body body, VertexSets sets) {
  const Scene& scene = *shared_scene;
  Simulation simulation;
  simulation.scene = std::move(shared_scene);
  simulation.sets = std::move(sets);
  simulation.notes = body.notes;

  NodalParts parts;
  parts.x0 = body.x0;
  parts.vertex_mass = body.vertex_mass;
  simulation.elastic = dynamic_cast<const ElasticEnergy*>(body.elastic.get());
  if (body.elastic) parts.energies.push_back(std::move(body.elastic));
  if (body.muscle) parts.energies.push_back(std::move(body.muscle));
  if (body.joints) parts.energies.push_back(std::move(body.joints));
  if (!scene.gravity.isZero()) {
    parts.energies.push_back(std::make_unique<GravityEnergy>(body.vertex_mass, scene.gravity));
  }
  for (const AttachmentSpec& attachment : scene.attachments) {
    parts.energies.push_back(std::make_unique<AttachmentEnergy>(simulation.sets.at(attachment.set), parts.x0,
                                                                attachment.stiffness, motion_of(attachment.motion)));
  }
  for (const ObstacleSpec& obstacle : scene.obstacles) {
    std::shared_ptr<const ObstacleShape> shape = make_item(obstacle_shapes(), obstacle.shape, obstacle.shape.path);
    std::shared_ptr<const Motion> motion = obstacle.motion ? motion_of(*obstacle.motion) : stand_still();
    simulation.obstacles.push_back({shape->drawing(), motion});
    parts.energies.push_back(std::make_unique<ContactEnergy>(
        body.contact_vertices, body.contact_area, obstacle.stiffness.value_or(body.contact_stiffness), std::move(shape),
        std::move(motion), obstacle.friction, obstacle.tangential));
  }
  for (const LoadSpec& load : scene.loads) {
    const LoadTarget target{load.set ? simulation.sets.at(*load.set) : all_of(static_cast<int>(parts.x0.rows())),
                            body.vertex_mass, body.triangles};
    parts.loads.push_back(make_item(loads(), load.load, target));
  }
  if (body.bones)
    for (auto& motor : body.bones->motors) parts.loads.push_back(std::move(motor));
  parts.supports = supports_of(scene, simulation.sets, static_cast<int>(parts.x0.rows()), simulation.notes);
  parts.damping = {scene.damping.alpha, scene.damping.beta, !scene.damping.current_stiffness};

  const auto holds = [&](const auto& spec) { return !simulation.sets.at(spec.set).empty(); };
  simulation.held = body.bones || std::any_of(scene.constraints.begin(), scene.constraints.end(), holds) ||
                    std::any_of(scene.attachments.begin(), scene.attachments.end(), holds);
  simulation.region_names = std::move(body.region_names);
  simulation.contact_stiffness = body.contact_stiffness;
  simulation.mesh = std::move(body.mesh);
  simulation.net = std::move(body.net);
  simulation.triangles = std::move(body.triangles);
  simulation.skin = std::move(body.skin);
  simulation.system = std::make_unique<NodalSystem>(std::move(parts));
  if (simulation.system->dofs() == 0) {
    throw Error("constraints: all {} vertices are held, nothing is left to move", simulation.system->vertices());
  }
  simulation.integrator_name = scene.integrator.name;
  if (body.bones) {
    simulation.bones = body.bones->points;
    simulation.state = start_of_bones(*simulation.system, *body.bones);
  }
  simulation.h = scene.h;
  simulation.steps = scene.steps;
  simulation.every = scene.output.every;
  return simulation;
}

Simulation built(const Scene& scene) {
  Body body = make_body(scene);
  VertexSets sets = select_vertices(scene.sets, body.X(), body.groups);
  std::vector<int> probe = probe_of(scene, sets, static_cast<int>(body.X().rows()));
  Simulation simulation = assembled(std::make_shared<const Scene>(scene), std::move(body), std::move(sets));
  simulation.probe = std::move(probe);
  simulation.cuts = cuts_of(scene);
  if (!simulation.bones) simulation.state = initial_state(*simulation.system, scene.initial);
  make_integrator(simulation);
  return simulation;
}

}  // namespace

void make_integrator(Simulation& simulation) {
  const Scene& scene = *simulation.scene;
  if (scene.condensation)
    condense(scene, simulation);
  else
    simulation.integrator = make_item(integrators(), scene.integrator);
  if (simulation.bones) move_by_joints(simulation);
  simulation.integrator = with_operators(std::move(simulation.integrator), operators_of(scene));
  simulation.integrator->prepare(*simulation.system);
}

int Simulation::elements() const {
  if (mesh.tets() > 0) return mesh.tets();
  return bones ? bones->skeleton().bones() : static_cast<int>(net.springs.rows());
}

const char* Simulation::element_name() const { return mesh.tets() > 0 ? "tetrahedra" : bones ? "bones" : "springs"; }

VectorXd Simulation::strain(const MatrixX3d& x) const {
  VectorXd strain = VectorXd::Zero(x.rows());  // none in bones
  if (mesh.tets() > 0)
    strain.head(mesh.vertices()) = vertex_strain(mesh, x);
  else if (!bones)
    strain = vertex_strain(net, x);
  return strain;
}

Simulation build_simulation(const Scene& scene) {
  try {
    return built(scene);
  } catch (const Error& error) {
    throw Error("{}: {}", scene.file.string(), error.what());
  }
}

Simulation rebuild_simulation(const Simulation& before, TetMesh mesh, VertexSets sets) {
  Body body = make_body(*before.scene, std::move(mesh), before.region_names, before.contact_stiffness);
  Simulation simulation = assembled(before.scene, std::move(body), std::move(sets));
  simulation.probe = before.probe;
  simulation.cuts = before.cuts;
  simulation.steps = before.steps;
  simulation.every = before.every;
  return simulation;
}

}  // namespace brio
