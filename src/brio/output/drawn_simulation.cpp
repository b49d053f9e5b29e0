#include "brio/output/drawn_simulation.hpp"

#include "brio/collide/collision_surface.hpp"
#include "brio/integrate/contact_forces.hpp"
#include "brio/mesh/surface.hpp"

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

/// What is drawn of a body in place of its own surface, or that surface (of a rope its points) as a skin whose points
/// are vertices.
Skin skin_of(const Body& body, const Simulation& simulation, int number) {
  if (body.skin) return *body.skin;
  std::vector<Index> own;
  for (Index t = 0; t < simulation.triangles.rows(); ++t)
    if (simulation.body_of_vertex[simulation.triangles(t, 0)] == number) own.push_back(t);
  MatrixX3i triangles = simulation.triangles(own, Eigen::all);
  std::vector<int> used = surface_vertices(triangles);
  if (used.empty()) {  // a rope
    used.resize(body.vertices());
    std::iota(used.begin(), used.end(), body.first);
  }
  std::vector<int> place(simulation.vertices());
  for (size_t i = 0; i < used.size(); ++i) place[used[i]] = static_cast<int>(i);
  for (int& vertex : triangles.reshaped()) vertex = place[vertex];
  Skin skin;
  skin.surface = make_surface(simulation.system->rest_positions()(used, Eigen::all), std::move(triangles));
  skin.embedding.corners.resize(static_cast<Index>(used.size()), 4);
  skin.embedding.weights.setZero(static_cast<Index>(used.size()), 4);
  skin.embedding.weights.col(0).setOnes();
  for (size_t i = 0; i < used.size(); ++i)
    skin.embedding.corners.row(static_cast<Index>(i)).setConstant(used[i] - body.first);
  return skin;
}

template <class Rows, class More>
void append(Rows& to, const More& more) {
  const Index n = to.rows();
  to.conservativeResize(n + more.rows(), to.cols());
  to.bottomRows(more.rows()) = more;
}

/// The skins of all bodies as one, a group for each body. Textures and materials are those of single bodies, and left
/// out here.
std::shared_ptr<const Skin> joined_skin(const Simulation& simulation) {
  Skin all;
  for (size_t b = 0; b < simulation.bodies.size(); ++b) {
    const Body& body = simulation.bodies[b];
    const Skin skin = skin_of(body, simulation, static_cast<int>(b));
    append(all.surface.triangles, MatrixX3i(skin.surface.triangles.array() + all.surface.vertices()));
    append(all.surface.X, skin.surface.X);
    append(all.surface.group, VectorXi::Constant(skin.surface.faces(), static_cast<int>(b)));
    all.surface.group_names.push_back(shown_name(body));
    append(all.embedding.corners, MatrixX4i(skin.embedding.corners.array() + body.first));
    append(all.embedding.weights, skin.embedding.weights);
  }
  return std::make_shared<const Skin>(std::move(all));
}

}  // namespace

BodyTopology topology(const Simulation& simulation) {
  const TetMesh tetrahedra = simulation.tetrahedra();
  BodyTopology all{simulation.vertices(), tetrahedra.T, simulation.triangles,  {},
                   tetrahedra.region,     {},           simulation.node_region};
  all.stress = simulation.scene->output.stress;
  all.contact = simulation.system->surfaces() != nullptr;
  all.owner = simulation.system->vertex_owner();
  bool skins = false;
  for (const Body& body : simulation.bodies) {
    append(all.edges, MatrixX2i(body.net.springs.array() + body.first));
    skins = skins || body.skin;
  }
  if (skins) all.skin = simulation.bodies.size() == 1 ? simulation.bodies.front().skin : joined_skin(simulation);
  if (simulation.bodies.front().name.empty()) return all;
  for (const Body& body : simulation.bodies) all.body_names.push_back(body.name);
  all.body = simulation.body_of_vertex;
  return all;
}

std::vector<DrawnObstacle> drawn_obstacles(const Simulation& simulation) {
  std::vector<DrawnObstacle> drawn;
  for (const SceneObstacle& obstacle : simulation.obstacles)
    drawn.push_back({obstacle.drawing.kind, obstacle.drawing.size, obstacle.drawing.surface});
  return drawn;
}

std::vector<Placement> placements_at(const Simulation& simulation, double t) {
  std::vector<Placement> placed;
  for (const auto& [path, drawing, motion] : simulation.obstacles) {
    const Pose pose = motion->pose(t);
    placed.push_back({pose.position(drawing.center), Eigen::Quaterniond(Mat3(pose.R * drawing.axes))});
  }
  return placed;
}

MadeFrame::MadeFrame(const Simulation& simulation, const RunFrame& run_frame)
    : strain_(simulation.strain(run_frame.x)),
      obstacles_(placements_at(simulation, run_frame.time)),
      stress_(simulation.stress(run_frame.x,
                                simulation.scene->output.stress ? StressDetail::all : StressDetail::vertices)),
      frame_{run_frame.time, run_frame.x, run_frame.u, strain_, obstacles_, stress_ ? &*stress_ : nullptr} {
  const CollisionSurface* surfaces = simulation.system->surfaces();
  if (!surfaces || !(surfaces->longest_reach() > 0)) return;
  force_.setZero(run_frame.x.rows(), 3);
  if (run_frame.contact_forces) force_ = run_frame.contact_forces->vertex.topRows(force_.rows());
  frame_.contact_force = &force_;
}

Vec3 up_direction(const Scene& scene) {
  return scene.gravity.isZero() ? Vec3(Vec3::UnitY()) : Vec3(-scene.gravity.normalized());
}

}  // namespace brio
