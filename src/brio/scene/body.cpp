#include "brio/scene/body.hpp"

#include "brio/core/error.hpp"
#include "brio/diagnose/strain.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/generators/generators.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/placement.hpp"
#include "brio/scene/problems.hpp"
#include "brio/scene/solid_body.hpp"
#include "brio/scene/source_mesh.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

/// Reads or makes meshes, in the coordinates of their bodies.
class MeshMaker {
 public:
  MeshMaker(const BodySpec& spec, Body& body) : spec_(spec), body_(body) {}

  void make() {
    const MeshSpec& mesh = spec_.mesh;
    if (mesh.source == MeshSpec::Source::none) return;
    if (mesh.source == MeshSpec::Source::springs) {
      body_.net = make_item(spring_generators(), mesh.generator);
      put_in_place(body_.net, mesh.transform);
      return;
    }
    take(source_mesh(mesh));
    for (int i = 0; i < mesh.refine; ++i) divide();
    if (mesh.order) set_order(*mesh.order);
    if (mesh.skin) make_skin(*mesh.skin);
    put_in_place(body_.mesh, mesh.transform);
  }

 private:
  void take(LoadedMesh loaded) {
    body_.mesh = std::move(loaded.mesh);
    body_.groups = std::move(loaded.vertex_sets);
    body_.region_names = std::move(loaded.region_names);
    body_.notes = std::move(loaded.messages);
  }

  /// Each tetrahedron into eight, between its corners and the vertices on its edges.
  void divide() {
    require_count("mesh.refine", 8.0 * body_.mesh.tets(), "refine less");
    const int order = body_.mesh.order();
    set_order(2);
    body_.mesh = split_tets(body_.mesh);
    if (order == 2) set_order(2);
  }

  void set_order(int order) {
    if (order == body_.mesh.order()) return;
    if (order == 2) {
      make_quadratic(body_.mesh);
      for (auto& [name, group] : body_.groups) group = with_mid_vertices(body_.mesh, group);
      return;
    }
    const std::vector<int> number = make_linear(body_.mesh);
    for (auto& [name, group] : body_.groups) {
      for (int& vertex : group) vertex = number[vertex];
      std::erase(group, -1);
    }
  }

  /// Before the mesh is put in place: the skin goes with it.
  void make_skin(const std::filesystem::path& file) {
    LoadedMesh loaded = load_surface(file);
    for (std::string& material_file : loaded.surface.material_files)
      material_file = std::filesystem::absolute(file.parent_path() / material_file).lexically_normal().string();
    Embedding embedding = embed(body_.mesh, loaded.surface.X);
    if (embedding.outside > 0) {
      body_.notes.push_back(fmt::format("{}: {} of {} points are outside of the tetrahedra, by up to {:.3g} m",
                                        join_path(spec_.path, "mesh.skin"), embedding.outside, embedding.points(),
                                        embedding.farthest));
    }
    body_.skin = std::make_shared<const Skin>(Skin{std::move(loaded.surface), std::move(embedding)});
  }

  const BodySpec& spec_;
  Body& body_;
};

/// What the patches make of each spring's stiffness.
VectorXd spring_factors(const SpringSpec& springs, const SpringNet& net, const VertexSets& sets) {
  VectorXd factor = VectorXd::Ones(net.springs.rows());
  for (const SpringPatch& patch : springs.patches) {
    std::vector<char> inside(net.vertices(), 0);
    for (int v : sets.at(patch.set)) inside[v] = 1;
    for (Index s = 0; s < factor.size(); ++s)
      if (inside[net.springs(s, 0)] && inside[net.springs(s, 1)]) factor[s] = patch.factor;
  }
  return factor;
}

/// All that follows from the net.
void make_net(const SpringSpec& springs, Body& body) {
  body.triangles = body.net.triangles;
  const int n = body.net.vertices();
  body.mass = VectorXd::Constant(n, springs.vertex_mass ? *springs.vertex_mass : *springs.total_mass / n);
  const double by_kind[] = {springs.stiffness, springs.shear_stiffness, springs.bend_stiffness};
  body.spring_stiffness.resize(body.net.springs.rows());
  const VectorXd factor = spring_factors(springs, body.net, body.sets);
  double length = 0;
  for (Index s = 0; s < factor.size(); ++s) {
    body.spring_stiffness[s] = by_kind[body.net.kind[s]] * factor[s];
    length += (body.net.X.row(body.net.springs(s, 0)) - body.net.X.row(body.net.springs(s, 1))).norm();
  }
  length /= static_cast<double>(factor.size());
  for (int v = 0; v < n; ++v) body.contact.vertices.push_back(v);
  body.contact.area =
      body.triangles.rows() > 0 ? lumped_area(body.net.X, body.triangles) : VectorXd::Constant(n, length * length);
  body.contact_stiffness = springs.stiffness / (length * length);
}

/// All that a body is but for its mesh, which it has in its own coordinates. Sets are chosen there, so that those of an
/// instance are the vertices that they are in the original.
void complete(const BodySpec& spec, Body& body) {
  body.name = spec.name;
  body.bones = static_cast<int>(spec.bones.size());
  if (body.vertices() > 0) body.sets = select_vertices(spec.sets, body.X(), body.groups);
  if (body.mesh.tets() > 0) {
    put_in_place(body.mesh, spec.transform);
    make_solid(spec, body);
  } else if (body.net.vertices() > 0) {
    put_in_place(body.net, spec.transform);
    make_net(*spec.springs, body);
  }
}

}  // namespace

int Body::elements() const {
  if (mesh.tets() > 0) return mesh.tets();
  return net.vertices() > 0 ? static_cast<int>(net.springs.rows()) : bones;
}

const char* Body::element_name() const {
  if (mesh.order() == 2) return "quadratic tetrahedra";
  return mesh.tets() > 0 ? "tetrahedra" : net.vertices() > 0 ? "springs" : "bones";
}

VectorXd Body::strain(const MatrixX3d& x) const {
  if (mesh.tets() > 0) return vertex_strain(mesh, x);
  return net.vertices() > 0 ? vertex_strain(net, x) : VectorXd();
}

std::string shown_name(const Body& body) { return body.name.empty() ? "body" : body.name; }

std::vector<Body> make_bodies(const Scene& scene) {
  std::vector<Body> bodies, meshes;  // complete, and as their meshes came
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    Body& mesh = meshes.emplace_back();
    if (spec.original == b) MeshMaker(spec, mesh).make();
    bodies.push_back(meshes[spec.original]);
    complete(spec, bodies.back());
  }
  number_vertices(bodies);
  return bodies;
}

void number_vertices(std::vector<Body>& bodies) {
  int first = 0;
  for (Body& body : bodies) {
    body.first = first;
    first += body.vertices();
  }
}

Body remake_body(const BodySpec& spec, const Body& before, TetMesh mesh) {
  Body body;
  body.name = before.name;
  body.bones = before.bones;
  body.mesh = std::move(mesh);
  body.region_names = before.region_names;
  body.contact_stiffness = before.contact_stiffness;
  make_solid(spec, body);
  return body;
}

}  // namespace brio
