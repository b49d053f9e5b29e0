#include "brio/scene/warnings.hpp"

#include "brio/material/materials.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/mesh/topology.hpp"
#include "brio/scene/condensation.hpp"
#include "brio/scene/cut.hpp"
#include "brio/scene/growing_vibration.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace brio {
namespace {

constexpr double kSliverAngle = 5;     // [deg]; interpolation errors grow as 1 / sin of the angle, here above 10
constexpr double kSliverAspect = 30;   // longest edge over smallest height, 1 for a regular tetrahedron
constexpr double kMostCrossings = 10;  // slender bodies bend ten times slower than sound crosses them

using Lines = std::vector<std::string>;

/// "mesh" of a scene with one body, "bodies.cow.mesh" otherwise.
std::string at(const BodySpec& spec, const char* key) { return join_path(spec.path, key); }

std::string name_of(const Body& body) { return body.name.empty() ? "the body" : "\"" + body.name + "\""; }

void warn_about_slivers(const BodySpec& spec, const Body& body, Lines& lines) {
  if (body.mesh.tets() == 0) return;
  const MeshQuality quality = measure_quality(body.mesh);
  if (quality.least_dihedral >= kSliverAngle && quality.worst_aspect <= kSliverAspect) return;
  lines.push_back(
      fmt::format("{}: tetrahedron {} is a sliver (aspect {:.3g}, where 1 is regular; the smallest angle between two "
                  "faces in the mesh is {:.2g} degrees): expect a stiff system and poor accuracy there",
                  at(spec, "mesh"), quality.worst_tet, quality.worst_aspect, quality.least_dihedral));
}

/// Linear elements bend too little, the less they may change their volume the more. Deflections of bars n elements
/// across, over Timoshenko's, are 1 / (1 + c / n^2), c = 3.3 (0.8 + 0.24 / (1 - 2 nu)) for cells of six, within a tenth
/// for nu from 0 to 0.49 and n from 2 to 8 (docs/elements.md); half of it on irregular meshes. Cells of five and the lattice of
/// the mesher hardly lock: c = 2 + 0.04 / (1 - 2 nu), within a fifth.
double bending_error(const MeshSpec& mesh, double nu) {
  const bool five = mesh.source == MeshSpec::Source::generate && mesh.generator.options.has("tets_per_cell") &&
                    mesh.generator.options.text("tets_per_cell") == "5";
  const bool lattice = mesh.source == MeshSpec::Source::surface ||
                       (mesh.source == MeshSpec::Source::generate && mesh.generator.name == "shape");
  return five || lattice ? 2 + 0.04 / (1 - 2 * nu) : 3.3 * (0.8 + 0.24 / (1 - 2 * nu));
}

void warn_about_locking(const BodySpec& spec, const Body& body, Lines& lines) {
  constexpr double kLeast = 0.5, kNearlyIncompressible = 0.45;
  if (body.mesh.tets() == 0 || body.mesh.order() == 2) return;
  const MeshQuality quality = measure_quality(body.mesh);
  if (quality.least_dihedral < kSliverAngle || quality.worst_aspect > kSliverAspect) return;  // no cells to count
  // A long bar of width w has a surface of 4 w and a volume of w^2 a length.
  const double width = 4 * quality.volume / lumped_area(body.mesh.X, body.triangles).sum();
  const double across = width / std::cbrt(6 * quality.volume / body.mesh.tets());
  for (size_t i = 0; i < spec.materials.size(); ++i) {
    const Options& law = spec.materials[i].law.options;
    if (!law.has("nu") || law.number("nu") < kNearlyIncompressible) continue;
    const double nu = law.number("nu");
    const double bends = 1 / (1 + bending_error(spec.mesh, nu) / (across * across));
    if (bends > kLeast) continue;
    lines.push_back(fmt::format(
        "{}: nu = {:g} on linear tetrahedra, about {:.2g} across {}: they lock, and it may bend by as little as {:.2g} % "
        "of what it should; \"order\": 2 in its mesh does not (docs/elements.md)",
        at(spec, fmt::format("materials[{}]", i).c_str()), nu, across, name_of(body), 100 * bends));
  }
}

std::string place_of(const Vec3& x) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x[0], x[1], x[2]); }

/// Parts that hang together by an edge or a vertex turn about it freely.
void warn_about_pinches(const BodySpec& spec, const Body& body, Lines& lines) {
  if (body.mesh.tets() == 0) return;
  const Pinches pinches = find_pinches(body.triangles);
  if (pinches.count() == 0) return;
  const Vec3 x = body.mesh.X.row(pinches.edges.empty() ? pinches.vertices[0] : pinches.edges[0][0]);
  lines.push_back(
      fmt::format("{}: {} edges and {} vertices hold parts of the mesh together that share no face there, the "
                  "first at {}; such a part turns about it like a hinge (`brio info` has the list)",
                  at(spec, "mesh"), pinches.edges.size(), pinches.vertices.size(), place_of(x)));
}

/// A body of which some pieces are held and others are not, or that is several pieces altogether.
void warn_about_loose_pieces(const Simulation& simulation, Lines& lines) {
  constexpr size_t kNamed = 3;
  if (simulation.bones) return;
  std::vector<std::vector<std::vector<int>>> loose(simulation.bodies.size());  // vertices of the pieces of each body
  std::vector<int> free(simulation.bodies.size(), 0), own(simulation.bodies.size(), 0);
  for (int body : simulation.body_of_vertex) ++own[body];
  for (const std::vector<int>& points : simulation.system->free_pieces()) {
    std::vector<int> vertices;
    for (int point : points) vertices.push_back(simulation.system->vertex_of(point));
    const int body = simulation.body_of_vertex[vertices.at(0)];
    free[body] += static_cast<int>(vertices.size());
    loose[body].push_back(std::move(vertices));
  }
  for (size_t b = 0; b < loose.size(); ++b) {
    const bool whole = loose[b].size() == 1 && free[b] == own[b];
    if (loose[b].empty() || whole || simulation.bodies[b].mesh.tets() == 0) continue;
    std::string places;
    for (size_t p = 0; p < loose[b].size() && p < kNamed; ++p)
      places += fmt::format("{}one of {} vertices near {}", p == 0 ? "" : ", ", loose[b][p].size(),
                            place_of(simulation.system->rest_positions().row(loose[b][p][0])));
    lines.push_back(fmt::format("{}: nothing holds {} of its pieces: {}{}", name_of(simulation.bodies[b]),
                                loose[b].size(), places, loose[b].size() > kNamed ? " …" : ""));
  }
}

/// Fastest speed of sound in the body [m/s].
double speed_of_sound(const BodySpec& spec, const Body& body) {
  double fastest = 0;
  for (const MaterialSpec& material : spec.materials) {
    const auto law = make_item(isotropic_laws(), material.law);
    fastest = std::max(fastest, std::sqrt(law->reference_modulus() / material.rho));
  }
  if (!spec.springs) return fastest;
  // A chain of masses m and springs k with spacing l carries waves at l sqrt(k / m).
  const SpringNet& net = body.net;
  double length = 0;
  for (Index s = 0; s < net.springs.rows(); ++s)
    length += (net.X.row(net.springs(s, 0)) - net.X.row(net.springs(s, 1))).norm();
  return length / static_cast<double>(net.springs.rows()) * std::sqrt(spec.springs->stiffness / body.mass.mean());
}

void warn_about_step(const Scene& scene, const BodySpec& spec, const Body& body, Lines& lines) {
  if (body.bones > 0) return;  // no sound in them
  const MatrixX3d& X = body.X();
  const double size = (X.colwise().maxCoeff() - X.colwise().minCoeff()).maxCoeff();
  const double crossing = size / speed_of_sound(spec, body);  // [s]
  if (!(scene.h > kMostCrossings * crossing)) return;
  lines.push_back(
      fmt::format("integrator.h = {:g}: sound crosses {} {:.3g} times in one step, so an implicit method damps its "
                  "vibrations away and an explicit one fails; they show with a step well below {:.2g} s",
                  scene.h, name_of(body), scene.h / crossing, crossing));
}

/// Extent of the body along a direction [m].
double extent_along(const Body& body, const Vec3& direction) {
  const VectorXd height = body.X() * direction;
  return height.maxCoeff() - height.minCoeff();
}

/// Files of meshes say nothing of their unit, and most are in millimeters.
void warn_about_units(const BodySpec& spec, const Body& body, Lines& lines) {
  constexpr double kTall = 20;  // [m]
  if (spec.mesh.source != MeshSpec::Source::file && spec.mesh.source != MeshSpec::Source::surface) return;
  const MatrixX3d& X = body.X();
  const double size = (X.colwise().maxCoeff() - X.colwise().minCoeff()).maxCoeff();
  if (size < kTall) return;
  lines.push_back(fmt::format("{}: {} is {:.3g} m long; where the file is in millimeters, \"transform\": "
                              "{{\"scale\": 0.001}} makes it {:.3g} m",
                              at(spec, "mesh"), name_of(body), size, 1e-3 * size));
}

/// A column of the body weighs rho g L per area, which squeezes it by rho g L / E at its foot.
void warn_about_weight(const Scene& scene, const BodySpec& spec, const Body& body, Lines& lines) {
  constexpr double kMostSqueezed = 0.5;
  const double g = scene.gravity.norm();
  if (g == 0 || body.mesh.tets() == 0) return;
  const double height = extent_along(body, scene.gravity / g);
  for (size_t i = 0; i < spec.materials.size(); ++i) {
    const MaterialSpec& material = spec.materials[i];
    const double pressure = material.rho * g * height;
    const double modulus = make_item(isotropic_laws(), material.law)->reference_modulus();
    if (pressure <= kMostSqueezed * modulus) continue;
    lines.push_back(fmt::format(
        "{}: {} is {:.3g} m high, and under its own weight ({:.3g} Pa at the foot of a column) a material of "
        "E = {:.3g} Pa collapses or is drawn out; are the units right?",
        at(spec, fmt::format("materials[{}]", i).c_str()), name_of(body), height, pressure, modulus));
  }
}

/// What is let go falls g h^2 in its first step; a linearly implicit method does not see an obstacle before it is in
/// it.
void warn_about_fall(const Scene& scene, const Body& body, Lines& lines) {
  constexpr double kFar = 0.1;  // of the body
  const double g = scene.gravity.norm();
  if (g == 0 || scene.obstacles.empty()) return;
  const double height = extent_along(body, scene.gravity / g), fall = g * scene.h * scene.h;
  if (!(fall > kFar * height) || height == 0) return;
  lines.push_back(
      fmt::format("integrator.h = {:g}: in one step {} falls {:.3g} m, and is only {:.3g} m high: it may be deep in an "
                  "obstacle before it feels it; take steps below {:.2g} s",
                  scene.h, name_of(body), fall, height, std::sqrt(0.1 * kFar * height / g)));
}

void warn_about_growth(const Scene& scene, const Simulation& simulation, Lines& lines) {
  const auto found = growing_vibration(simulation, simulation.state.t, simulation.state.q);
  if (!found) return;
  lines.push_back(
      fmt::format("integrator.h = {:g}: the fastest vibration of this mesh, {:.3g} Hz, grows with every step of {}; {}",
                  scene.h, found->frequency, scene.integrator.name, found->remedy()));
}

void warn_about_start(const Simulation& simulation, Lines& lines) {
  MatrixX3d x;
  simulation.system->positions(simulation.state.t, simulation.state.q, x);
  const auto found = simulation.determinants(x);
  if (found && found->inverted > 0)
    lines.push_back(
        fmt::format("initial: some tetrahedra start flat or inside out (smallest det F = {:.3g})", found->smallest));
}

/// A body that begins deep in an obstacle is thrown out of it.
void warn_about_obstacles(const Scene& scene, const Simulation& simulation, Lines& lines) {
  constexpr double kDeep = 0.05;  // of an edge: more than weight presses a body in
  const ContactSystem* contacts = simulation.system->contacts();
  std::vector<std::string> paths;  // of those that push vertices out; surfaces are looked at when the scene is built
  for (const ObstacleSpec& obstacle : scene.obstacles)
    if (!obstacle.mesh) paths.push_back(obstacle.shape.path);
  if (!contacts || paths.empty()) return;
  const State& state = simulation.state;
  std::vector<Touch> touches;
  contacts->find_touches(state.t, state.q, state.t, state.q, touches);
  const double least = kDeep * mean_edge_length(*simulation.system);
  const int per_obstacle = contacts->places() / static_cast<int>(paths.size());
  std::map<std::pair<int, int>, std::pair<int, double>> inside;  // obstacle and body: how many vertices, how deep
  for (const Touch& touch : touches) {
    if (!(touch.before < -least)) continue;
    const int body = simulation.body_of_vertex[simulation.system->vertex_of(touch.point)];
    auto& [count, depth] = inside[{touch.place / per_obstacle, body}];
    ++count;
    depth = std::max(depth, -touch.before);
  }
  for (const auto& [which, found] : inside) {
    const std::string& name = simulation.bodies[which.second].name;
    lines.push_back(fmt::format(
        "{} starts inside {}: {} of its vertices, the deepest by {:.3g} m; it will be pushed out, so move one of them",
        name.empty() ? "the body" : "\"" + name + "\"", paths[which.first], found.first,
        found.second));
  }
}

void warn_about_cuts(const Simulation& simulation, Lines& lines) {
  for (const SceneCut& cut : simulation.cuts) {
    if (cut.time > simulation.h * (simulation.steps - 1 + kCutSlack)) {
      lines.push_back(fmt::format("{}.time = {:g}: no step comes after it; the scene ends at {:g} s", cut.path,
                                  cut.time, simulation.h * simulation.steps));
    } else if (!cut.current && std::none_of(cut.bodies.begin(), cut.bodies.end(), [&](int b) {
                 const TetMesh& mesh = simulation.bodies[b].mesh;
                 return cut_mesh(mesh, mesh.X, *cut.surface, cut.options).changed();
               })) {
      lines.push_back(fmt::format(
          "{}: this cut changes nothing: it misses the body or reaches into it by less than an element", cut.path));
    }
  }
}

/// Dynamic nodes next to each other move against each other as a full body would, and take its short steps.
void warn_about_close_nodes(const Simulation& simulation, Lines& lines) {
  constexpr double kClose = 2;  // mean edges
  const double least = kClose * mean_edge_length(*simulation.system);
  const std::vector<int>& nodes = simulation.dynamic_nodes;
  double closest = least;
  int first = -1, second = -1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const MatrixX3d& X = simulation.system->rest_positions();
      const double distance = (X.row(nodes[i]) - X.row(nodes[j])).norm();
      if (distance < closest) closest = distance, first = nodes[j], second = nodes[i];
    }
  }
  if (first < 0) return;
  lines.push_back(fmt::format(
      "condensation.nodes: vertices {} and {} are only {:.2g} m apart, {:.2g} edges of the mesh: such nodes need a "
      "short step; take fewer, or give a least distance",
      first, second, closest, kClose * closest / least));
}

/// The sets that a row of a table reads with these options.
template <class Row>
void use_sets(const Row& row, const Options& options, std::set<std::string>& used) {
  if (!row.used_sets) return;
  for (const std::string& name : row.used_sets(options)) used.insert(name);
}

void use_unions(const std::vector<SetSpec>& sets, std::set<std::string>& used) {
  for (const SetSpec& set : sets)
    use_sets(find_row(selectors(), "selector", set.selector.name), set.selector.options, used);
}

/// What the sections of the scene name, "body.set" where it has bodies.
std::set<std::string> used_sets(const Scene& scene) {
  std::set<std::string> used;
  for (const auto& constraint : scene.constraints) used.insert(constraint.set);
  for (const auto& attachment : scene.attachments) {
    used.insert(attachment.set);
    if (attachment.to) used.insert(*attachment.to);
  }
  for (const auto& load : scene.loads)
    if (load.set) used.insert(*load.set);
  if (scene.condensation) {
    const Item& nodes = scene.condensation->nodes;
    use_sets(find_row(node_choosers(), nodes.path, nodes.name), nodes.options, used);
  }
  if (scene.output.probe)
    if (const auto* name = std::get_if<std::string>(&*scene.output.probe)) used.insert(*name);
  use_unions(scene.sets, used);
  return used;
}

void warn_about_unused_sets(const Scene& scene, Lines& lines) {
  const std::set<std::string> used = used_sets(scene);
  std::set<std::string> said;  // copies have one place in the file
  const auto warn = [&](const SetSpec& set) {
    if (said.insert(set.selector.path).second) lines.push_back(set.selector.path + ": nothing uses this set");
  };
  for (const SetSpec& set : scene.sets)
    if (!used.contains(set.name)) warn(set);
  std::map<std::string, bool> needed;  // by place in the file: an instance may use what its original does not
  for (const BodySpec& body : scene.bodies) {
    std::set<std::string> own;
    for (const auto& bone : body.bones)
      if (bone.tissue) own.insert(*bone.tissue);
    if (body.springs)
      for (const SpringPatch& patch : body.springs->patches) own.insert(patch.set);
    use_unions(body.sets, own);
    for (const SetSpec& set : body.sets) {
      const auto named = [&](const std::string& owner) {
        return used.contains(owner.empty() ? set.name : owner + "." + set.name);
      };
      needed[set.selector.path] |=
          own.contains(set.name) || named(body.name) || (!body.group.empty() && named(body.group));
    }
  }
  for (const BodySpec& body : scene.bodies)
    for (const SetSpec& set : body.sets)
      if (!needed[set.selector.path]) warn(set);
}

}  // namespace

Lines scene_warnings(const Scene& scene, const Simulation& simulation) {
  Lines lines = simulation.notes;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    if (spec.original == b) warn_about_units(spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_slivers(spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_locking(spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_pinches(spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_step(scene, spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_weight(scene, spec, simulation.bodies[b], lines);
    if (spec.original == b) warn_about_fall(scene, simulation.bodies[b], lines);
  }
  warn_about_loose_pieces(simulation, lines);
  warn_about_growth(scene, simulation, lines);
  warn_about_start(simulation, lines);
  warn_about_obstacles(scene, simulation, lines);
  warn_about_cuts(simulation, lines);
  warn_about_close_nodes(simulation, lines);
  warn_about_unused_sets(scene, lines);
  return lines;
}

}  // namespace brio
