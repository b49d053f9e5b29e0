#include "brio/scene/world.hpp"

#include "brio/mesh/surface.hpp"
#include "brio/scene/placement.hpp"

#include <algorithm>

namespace brio {
namespace {

template <class Rows>
void append(Rows& to, const Rows& more) {
  const Index n = to.rows();
  to.conservativeResize(n + more.rows(), to.cols());
  to.bottomRows(more.rows()) = more;
}

/// Bones come after all other vertices; a body without mesh or net touches with a stiffness that suits their weight.
void add_bones(const std::vector<Body>& bodies, World& world) {
  const BonePoints& points = *world.skeleton->points;
  append(world.x0, points.rest_positions());
  append(world.triangles, points.triangles());
  append(world.mass, VectorXd(points.mass().head(points.count())));
  for (int i = 0; i < points.count(); ++i) world.body_of_vertex.push_back(world.skeleton->owner[points.bone()[i]]);
  const VectorXd area = lumped_area(world.x0, points.triangles());
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].bones == 0) continue;
    std::vector<int> surface, own;
    for (int v : points.surface_vertices())
      if (world.body_of_vertex[v] == static_cast<int>(b)) surface.push_back(v);
    for (int v = points.first(); v < world.vertices(); ++v)
      if (world.body_of_vertex[v] == static_cast<int>(b)) own.push_back(v);
    ContactSurface& contact = world.contact[b];
    contact.vertices.insert(contact.vertices.end(), surface.begin(), surface.end());
    append(contact.area, VectorXd(area(surface)));
    // So stiff that the weight of all bones, on a hundredth of their surface, sinks in by a millimeter.
    if (bodies[b].vertices() == 0)
      world.contact_stiffness[b] = VectorXd(world.mass(own)).sum() * 9.81 / (0.01 * VectorXd(area(own)).sum() * 1e-3);
  }
}

/// The sets of one body, with numbers among all vertices. Those of bones alone choose from the bones' points.
VertexSets sets_of(const BodySpec& spec, const Body& body, const VertexSet& vertices, const World& world) {
  VertexSets sets;
  if (body.vertices() > 0) {
    for (const auto& [name, own] : body.sets)
      for (int v : own) sets[name].push_back(body.first + v);
    return sets;
  }
  const BodyPlacement place(spec.transform);
  MatrixX3d X = world.x0(vertices, Eigen::all);
  for (Index i = 0; place.moves() && i < X.rows(); ++i) X.row(i) = place.own_point(X.row(i).transpose()).transpose();
  for (const auto& [name, own] : select_vertices(spec.sets, X, {}))
    for (int i : own) sets[name].push_back(vertices[i]);
  return sets;
}

}  // namespace

World make_world(const Scene& scene, const std::vector<Body>& bodies) {
  World world;
  const int n = bodies.back().first + bodies.back().vertices();
  Index faces = 0, face = 0;
  for (const Body& body : bodies) faces += body.triangles.rows();
  world.x0.resize(n, 3);
  world.mass.resize(n);
  world.triangles.resize(faces, 3);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    world.x0.middleRows(body.first, body.vertices()) = body.X();
    world.mass.segment(body.first, body.vertices()) = body.mass;
    world.triangles.middleRows(face, body.triangles.rows()) = body.triangles.array() + body.first;
    face += body.triangles.rows();
    world.body_of_vertex.insert(world.body_of_vertex.end(), body.vertices(), static_cast<int>(b));
    world.contact.push_back(body.contact);
    for (int& v : world.contact.back().vertices) v += body.first;
    world.contact_stiffness.push_back(body.contact_stiffness);
  }
  world.skeleton = make_bones(scene, bodies);
  if (world.skeleton) add_bones(bodies, world);
  world.vertices_of.resize(bodies.size());
  for (int v = 0; v < world.vertices(); ++v) world.vertices_of[world.body_of_vertex[v]].push_back(v);
  return world;
}

VertexSets world_sets(const Scene& scene, const std::vector<Body>& bodies, const World& world) {
  VertexSets sets;
  const auto add = [&](const std::string& name, const VertexSet& more) {
    VertexSet& set = sets[name];
    set.insert(set.end(), more.begin(), more.end());
    std::sort(set.begin(), set.end());  // copies have their sets in common
  };
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    const VertexSet& all = world.vertices_of[b];
    const VertexSets own = sets_of(spec, bodies[b], all, world);
    if (spec.name.empty()) return own;
    for (const std::string& name : {spec.name, spec.group}) {
      if (name.empty()) continue;
      add(name, all);
      for (const auto& [set, vertices] : own) add(name + "." + set, vertices);
    }
  }
  return select_vertices(scene.sets, world.x0, {}, std::move(sets));
}

}  // namespace brio
