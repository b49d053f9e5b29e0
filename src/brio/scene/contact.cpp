#include "brio/scene/contact.hpp"

#include "brio/collide/pair_search.hpp"
#include "brio/core/error.hpp"
#include "brio/core/join.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kRange = 0.1;  // of the mean edge of a body's surface: where its contact begins if nothing is said
constexpr size_t kMostIgnored = 32;

/// The edges of a body that can touch, where they belong to no triangle: ropes.
MatrixX2i loose_edges_of(const std::vector<Body>& bodies) {
  std::vector<std::array<int, 2>> edges;
  for (const Body& body : bodies) {
    if (body.net.vertices() == 0 || body.triangles.rows() > 0) continue;
    for (Index s = 0; s < body.net.springs.rows(); ++s)
      if (body.net.kind[s] == 0)
        edges.push_back({body.net.springs(s, 0) + body.first, body.net.springs(s, 1) + body.first});
  }
  MatrixX2i rows(static_cast<Index>(edges.size()), 2);
  for (size_t e = 0; e < edges.size(); ++e) rows.row(static_cast<Index>(e)) << edges[e][0], edges[e][1];
  return rows;
}

/// Of the tissue where there is some, otherwise of the bones.
double mean_surface_edge(const World& world, const Body& body, int number) {
  double sum = 0;
  Index count = 0;
  const auto add = [&](int a, int b) { sum += (world.x0.row(a) - world.x0.row(b)).norm(), ++count; };
  const int first = body.first, end = first + body.vertices();
  for (Index t = 0; t < world.triangles.rows(); ++t) {
    const int v = world.triangles(t, 0);
    if (world.body_of_vertex[v] != number || (body.triangles.rows() > 0 && (v < first || v >= end))) continue;
    for (int k = 0; k < 3; ++k) add(world.triangles(t, k), world.triangles(t, (k + 1) % 3));
  }
  if (body.triangles.rows() == 0)
    for (Index s = 0; s < body.net.springs.rows(); ++s)
      if (body.net.kind[s] == 0) add(first + body.net.springs(s, 0), first + body.net.springs(s, 1));
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// The weight of a body on a small share of its surface: what is soft shall carry what is heavy, and the barrier would be
/// a wall where it had to be met far inside of its range [Pa].
double weight_on_surface(const World& world, int body, double gravity) {
  constexpr double kEarth = 9.81, kShare = 0.02;
  const double area = world.contact[body].area.sum();
  const double mass = VectorXd(world.mass(world.vertices_of[body])).sum();
  return area > 0 ? mass * std::max(gravity, kEarth) / (kShare * area) : 0;
}

/// `held`: whether all of it is led.
ContactBody contact_body(const ContactSpec& spec, const World& world, const Body& body, int number, double gravity,
                         bool held) {
  const double edge = mean_surface_edge(world, body, number);
  const auto refuse_long = [&](const char* key, double length) {
    if (length > edge / 2)
      throw Error("contact.{} = {:g}: more than half an edge of {} ({:.3g} m): neighbors would touch; take less, or a coarser mesh",
                  key, length, body.name.empty() ? "the body" : "\"" + body.name + "\"", edge);
  };
  ContactBody made;
  made.range = spec.distance.value_or(kRange * edge);
  if (spec.distance && edge > 0) refuse_long("distance", *spec.distance);
  if (body.net.vertices() > 0) {
    made.thickness = spec.thickness;
    if (edge > 0) refuse_long("thickness", spec.thickness);
  }
  made.stiffness = spec.stiffness.value_or(world.contact_stiffness[number]);
  if (!spec.stiffness && !held) made.pressure = weight_on_surface(world, number, gravity);
  made.self = spec.self;
  return made;
}

/// The numbers of the bodies of that name, or of its copies.
std::vector<int> bodies_named(const Scene& scene, const std::string& name) {
  std::vector<int> found;
  for (size_t b = 0; b < scene.bodies.size(); ++b)
    if (scene.bodies[b].name == name || scene.bodies[b].group == name) found.push_back(static_cast<int>(b));
  return found;
}

void add_pairs(const Scene& scene, const VertexSets& sets, std::vector<RoughPair>& rough,
               std::vector<IgnoredPair>& ignored) {
  for (const ContactPairSpec& pair : scene.contact->pairs) {
    if (pair.ignore) ignored.push_back({sets.at(pair.first), sets.at(pair.second)});
    if (!pair.friction) continue;
    const std::vector<int> first = bodies_named(scene, pair.first), second = bodies_named(scene, pair.second);
    for (const auto& [name, found] : {std::pair(pair.first, first), std::pair(pair.second, second)})
      if (found.empty())
        throw Error("{}.friction: friction is between bodies, and \"{}\" is a set of vertices", pair.path, name);
    for (int a : first)
      for (int b : second) rough.push_back({a, b, *pair.friction, pair.static_friction.value_or(*pair.friction)});
  }
  if (ignored.size() > kMostIgnored)
    throw Error("contact.pairs: {} pairs are ignored; at most {} may be: name sets that hold several bodies",
                ignored.size(), kMostIgnored);
}

/// What touches: bodies, then obstacles.
struct Surfaces {
  MatrixX3d X;
  MatrixX3i triangles;
  std::vector<int> body_of_vertex;
  std::vector<ContactBody> bodies;
  std::vector<ObstacleVertices> obstacles;

  void add(const ObstacleSpec& spec, const SceneObstacle& obstacle, ContactRules& rules) {
    const TriangleSurface& surface = *obstacle.drawing.surface;
    ContactBody made{.stiffness = spec.stiffness.value_or(0), .self = false, .obstacle = true};
    const int number = static_cast<int>(bodies.size());
    for (int b = 0; b < number && !bodies[b].obstacle; ++b) {
      made.range = std::max(made.range, bodies[b].range);
      rules.rough.push_back({b, number, spec.friction, spec.friction});
    }
    const Index first = X.rows(), faces = triangles.rows();
    X.conservativeResize(first + surface.vertices(), 3);
    X.bottomRows(surface.vertices()) = surface.X;
    triangles.conservativeResize(faces + surface.faces(), 3);
    triangles.bottomRows(surface.faces()) = surface.triangles.array() + static_cast<int>(first);
    body_of_vertex.insert(body_of_vertex.end(), surface.vertices(), number);
    bodies.push_back(made);
    obstacles.push_back({surface.X, obstacle.motion});
  }
};

/// Both names and the place, for people.
std::string meeting(const Simulation& simulation, const CollisionSurface& surface, int a, int b, const Vec3& x) {
  const std::vector<std::string> names = names_of_touching(simulation);
  const std::string &one = names[surface.body_of(a)], &other = names[surface.body_of(b)];
  const std::string who = one == other ? fmt::format("\"{}\" and itself", one) : fmt::format("\"{}\" and \"{}\"", one, other);
  return fmt::format("{} at [{:.4g}, {:.4g}, {:.4g}]", who, x[0], x[1], x[2]);
}

/// How often the surface of a body goes around a point: 1 inside, 0 outside (van Oosterom and Strackee 1983).
double winding(const Body& body, const VectorXd& x, const Vec3& p) {
  double angle = 0;
  for (Index t = 0; t < body.triangles.rows(); ++t) {
    Vec3 r[3];
    for (int k = 0; k < 3; ++k) r[k] = x.segment<3>(3 * (body.triangles(t, k) + body.first)) - p;
    const double a = r[0].norm(), b = r[1].norm(), c = r[2].norm();
    angle += 2 * std::atan2(r[0].dot(r[1].cross(r[2])),
                            a * b * c + r[0].dot(r[1]) * c + r[1].dot(r[2]) * a + r[2].dot(r[0]) * b);
  }
  return angle / (4 * std::numbers::pi);
}

Box3 box_of(const Body& body, const VectorXd& x) {
  Box3 box;
  for (int v = 0; v < body.vertices(); ++v) box.include(Vec3(x.segment<3>(3 * (body.first + v))));
  return box;
}

void refuse_nested(const Simulation& simulation, const CollisionSurface& surface, const VectorXd& x) {
  for (const Body& outer : simulation.bodies) {
    if (outer.mesh.tets() == 0) continue;
    const Box3 box = box_of(outer, x);
    for (const Body& inner : simulation.bodies) {
      if (&inner == &outer || inner.vertices() == 0) continue;
      const int v = inner.first, w = outer.first + outer.triangles(0, 0);
      const Vec3 p = x.segment<3>(3 * v);
      const int edge[] = {v, v}, face[] = {w, w, w};
      if ((p.array() < box.low.array()).any() || (p.array() > box.high.array()).any()) continue;
      if (surface.may_cross(edge, face) && winding(outer, x, p) > 0.5)
        throw Error("contact: \"{}\" starts inside \"{}\"; move one of them, or let brio do it (contact.untangle)", shown_name(inner), shown_name(outer));
    }
  }
}

}  // namespace

std::unique_ptr<SurfaceContactEnergy> make_surface_contact(const Scene& scene, const Simulation& simulation,
                                                           const World& world) {
  if (!scene.contact) return nullptr;
  Surfaces all{world.x0, world.triangles, world.body_of_vertex, {}, {}};
  std::vector<char> led(world.vertices(), 0);
  for (const ConstraintSpec& constraint : scene.constraints)
    for (int v : simulation.sets.at(constraint.set)) led[v] = 1;
  for (size_t b = 0; b < simulation.bodies.size(); ++b) {
    const VertexSet& own = world.vertices_of[b];
    const bool held = std::all_of(own.begin(), own.end(), [&](int v) { return led[v]; });
    all.bodies.push_back(contact_body(*scene.contact, world, simulation.bodies[b], static_cast<int>(b),
                                      scene.gravity.norm(), held));
  }
  ContactRules rules{.between = scene.contact->between,
                     .friction = scene.contact->friction,
                     .static_friction = scene.contact->static_friction.value_or(scene.contact->friction),
                     .guarantee = scene.contact->guarantee};
  if (world.skeleton)
    for (int v = world.skeleton->points->first(); v < world.vertices(); ++v) rules.bones.push_back(v);
  add_pairs(scene, simulation.sets, rules.rough, rules.ignored);
  for (size_t i = 0; i < scene.obstacles.size(); ++i)
    if (scene.obstacles[i].mesh) all.add(scene.obstacles[i], simulation.obstacles[i], rules);
  auto surface = std::make_shared<const CollisionSurface>(std::move(all.X), std::move(all.triangles),
                                                          loose_edges_of(simulation.bodies), std::move(all.body_of_vertex),
                                                          std::move(all.bodies), rules);
  return std::make_unique<SurfaceContactEnergy>(std::move(surface), std::move(all.obstacles));
}

std::vector<std::string> names_of_touching(const Simulation& simulation) {
  std::vector<std::string> names;
  for (const Body& body : simulation.bodies) names.push_back(shown_name(body));
  for (bool surfaces : {true, false})
    for (const SceneObstacle& obstacle : simulation.obstacles)
      if ((obstacle.drawing.surface != nullptr) == surfaces) names.push_back(obstacle.path);
  return names;
}

void refuse_intersections(const Simulation& simulation) {
  const CollisionSurface* surface = simulation.system->surfaces();
  if (!surface) return;
  VectorXd x;
  simulation.system->stack_positions(simulation.state.t, simulation.state.q, x);
  PairSearch search(*surface);
  constexpr size_t kNamed = 3;
  std::vector<std::string> places;
  const auto crossings = search.find_crossings(x);
  for (const PairSearch::Crossing& crossing : crossings) {
    if (places.size() == kNamed) break;
    const int a = surface->edges()(crossing.edge, 0), b = surface->edges()(crossing.edge, 1);
    const Vec3 middle = 0.5 * (x.segment<3>(3 * a) + x.segment<3>(3 * b));
    places.push_back(meeting(simulation, *surface, a, surface->triangles()(crossing.triangle, 0), middle));
  }
  if (!crossings.empty())
    throw Error("contact: {} edges pass through triangles at the start: {}{}; move the bodies apart, let brio do it "
                "(contact.untangle), or let them ignore each other (contact.pairs)",
                crossings.size(), joined(places, ", "), crossings.size() > kNamed ? " …" : "");
  refuse_nested(simulation, *surface, x);
  std::vector<ContactPair> pairs;
  search.find(x, x, PairSearch::Bodies::all, pairs);
  size_t touching = 0;
  for (const ContactPair& pair : pairs) {
    constexpr double kNone = 1e-4;  // of the range: a gap that the barrier would tear open
    Corners at;
    for (int i = 0; i < 4; ++i) at[i] = x.segment<3>(3 * pair.vertex[i]);
    if (closest_points(pair.kind, at).distance() - pair.law.thickness > kNone * pair.law.range) continue;
    if (places.size() < kNamed) places.push_back(meeting(simulation, *surface, pair.vertex[0], pair.vertex[3], at[0]));
    ++touching;
  }
  if (touching > 0)
    throw Error("contact: {} pairs of edges, or points and triangles, have no gap between them at the start{}: {}{}; leave a gap of {:.3g} m or more, where contact begins, or let brio make one (contact.untangle)",
                touching, simulation.scene->contact->thickness > 0 ? " (contact.thickness counts)" : "",
                joined(places, ", "), touching > kNamed ? " …" : "", surface->longest_reach());
}

void look_for_intersections(Simulation& simulation) {
  try {
    refuse_intersections(simulation);
  } catch (const Error& error) {
    if (simulation.scene->contact->guarantee) throw;
    simulation.notes.push_back(fmt::format("{}. It stays as it is: contact.guarantee is false", error.what()));
  }
}

}  // namespace brio
