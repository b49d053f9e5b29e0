#include "brio/core/error.hpp"
#include "brio/diagnose/strain.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/integrate/bone_integrator.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/scene/body.hpp"
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

/// Bones begin as their joints say, and are stepped by them.
void move_by_joints(const Scene& scene, const BoneBody& bones, Simulation& simulation) {
  if (const std::string why = cannot_step_bones(scene.integrator.name); !why.empty())
    throw Error("integrator.name = \"{}\": not for bones: {}; \"newmark\" and \"im\" have the same order",
                scene.integrator.name, why);
  const NodalSystem& system = *simulation.system;
  simulation.bones = bones.points;
  MatrixX3d x = system.rest_positions(), u = MatrixX3d::Zero(x.rows(), 3);
  x(bones.points->vertices(), Eigen::all) = bones.x;
  u(bones.points->vertices(), Eigen::all) = bones.u;
  simulation.state = {0, system.free_part(x), system.free_part(u), {}};
  simulation.integrator = std::make_unique<BoneIntegrator>(system, bones.points, std::move(simulation.integrator));
}

Simulation built(const Scene& scene) {
  Simulation simulation;
  Body body = make_body(scene);
  simulation.sets = select_vertices(scene.sets, body.X(), body.groups);
  simulation.probe = probe_of(scene, simulation.sets, static_cast<int>(body.X().rows()));
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
    parts.energies.push_back(std::make_unique<ContactEnergy>(body.contact_vertices, body.contact_area,
                                                             obstacle.stiffness.value_or(body.contact_stiffness),
                                                             std::move(shape), std::move(motion)));
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
  simulation.mesh = std::move(body.mesh);
  simulation.net = std::move(body.net);
  simulation.triangles = std::move(body.triangles);
  simulation.skin = std::move(body.skin);
  simulation.system = std::make_unique<NodalSystem>(std::move(parts));
  if (simulation.system->dofs() == 0) {
    throw Error("constraints: all {} vertices are held, nothing is left to move", simulation.system->vertices());
  }
  simulation.integrator_name = scene.integrator.name;
  simulation.integrator = make_item(integrators(), scene.integrator);
  simulation.state = initial_state(*simulation.system, scene.initial);
  if (body.bones) move_by_joints(scene, *body.bones, simulation);
  simulation.h = scene.h;
  simulation.steps = scene.steps;
  simulation.every = scene.output.every;
  return simulation;
}

}  // namespace

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

}  // namespace brio
