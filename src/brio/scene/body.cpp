#include "brio/scene/body.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/energy/joint_energy.hpp"
#include "brio/energy/muscle_energy.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/mesh/solids/surface_solid.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/mesh/transform.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/named_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace brio {
namespace {

template <class Mesh>
void put_in_place(Mesh& mesh, const std::optional<Transform>& transform) {
  if (!transform) return;
  scale(mesh, Vec3::Constant(transform->scale));
  rotate(mesh, transform->rotate_axis, transform->rotate_degrees);
  translate(mesh, transform->translate);
}

/// A generator whose meshes come with the names of their parts, if they have any.
struct NamedMaker : Entry {
  std::function<LoadedMesh(const Options&)> make;
};

std::vector<NamedMaker> makers_with_names() {
  std::vector<NamedMaker> makers;
  for (const GeneratorEntry& row : scene_generators())
    makers.push_back({row, row.make_named ? row.make_named : [&row](const Options& o) {
                        LoadedMesh loaded;
                        loaded.mesh = row.make(o);
                        return loaded;
                      }});
  return makers;
}

LoadedMesh filled_surface(const MeshSpec& spec) {
  SurfaceSolid surface = load_surface_solid(spec.file);
  try {
    LoadedMesh loaded = fill({surface.solid, {}}, target_of(spec.generator.options, kDefaultVertices));
    loaded.messages.insert(loaded.messages.begin(), surface.messages.begin(), surface.messages.end());
    return loaded;
  } catch (const Error& error) {
    throw Error("{}.surface = \"{}\": {}", spec.generator.path, spec.generator.name, error.what());
  }
}

/// The tetrahedra of each material of the scene.
using Assignment = std::vector<std::vector<int>>;

class SolidMaker {
 public:
  SolidMaker(const Scene& scene, Body& body) : scene_(scene), body_(body) {}

  void make() {
    make_mesh();
    assign_materials();
    body_.contact_stiffness = stiffest_ / mean_edge();
  }

  /// All that follows from the mesh.
  void assign_materials() {
    body_.triangles = boundary_triangles(body_.mesh);
    const Assignment assignment = tets_by_material();
    make_elastic(assignment);
    body_.contact_vertices = surface_vertices(body_.triangles);
    const VectorXd area = lumped_area(body_.mesh.X, body_.triangles);
    body_.contact_area = area(body_.contact_vertices);
  }

 private:
  void make_mesh() {
    const MeshSpec& spec = scene_.mesh;
    if (spec.source == MeshSpec::Source::file) {
      take(load_mesh(spec.file));
    } else if (spec.source == MeshSpec::Source::surface) {
      take(filled_surface(spec));
    } else {
      take(make_item(makers_with_names(), spec.generator));
    }
    if (spec.skin) make_skin(*spec.skin);
    put_in_place(body_.mesh, spec.transform);
  }

  void take(LoadedMesh loaded) {
    body_.mesh = std::move(loaded.mesh);
    body_.groups = std::move(loaded.vertex_sets);
    body_.region_names = std::move(loaded.region_names);
    body_.notes = std::move(loaded.messages);
  }

  /// Before the mesh is put in place: the skin goes with it.
  void make_skin(const std::filesystem::path& file) {
    LoadedMesh loaded = load_surface(file);
    for (std::string& material_file : loaded.surface.material_files)
      material_file = std::filesystem::absolute(file.parent_path() / material_file).lexically_normal().string();
    Embedding embedding = embed(body_.mesh, loaded.surface.X);
    if (embedding.outside > 0) {
      body_.notes.push_back(fmt::format("mesh.skin: {} of {} points are outside of the tetrahedra, by up to {:.3g} m",
                                        embedding.outside, embedding.points(), embedding.farthest));
    }
    body_.skin = std::make_shared<const Skin>(Skin{std::move(loaded.surface), std::move(embedding)});
  }

  /// The regions that a material of the scene is for.
  std::set<int> regions_of(const MaterialSpec& material, const std::set<int>& present) const {
    if (!material.regions.empty()) return {material.regions.begin(), material.regions.end()};
    if (material.region_name == "all") return present;
    std::vector<std::string> known = {"all"};
    for (const auto& [region, name] : body_.region_names) {
      if (name == material.region_name) return {region};
      known.push_back(name);
    }
    throw Error("{}.region: {}", material.law.path, unknown_name("region", material.region_name, known));
  }

  Assignment tets_by_material() {
    const std::set<int> present(body_.mesh.region.begin(), body_.mesh.region.end());
    std::map<int, size_t> chosen;  // the material of each region
    for (size_t m = 0; m < scene_.materials.size(); ++m) {
      for (int region : regions_of(scene_.materials[m], present)) {
        if (present.contains(region)) {
          chosen[region] = m;
        } else {
          body_.notes.push_back(fmt::format("{}.region = {}: the mesh has no such region (it has {})",
                                            scene_.materials[m].law.path, region,
                                            joined(std::vector<int>(present.begin(), present.end()), ", ")));
        }
      }
    }
    for (int region : present) {
      if (chosen.contains(region)) continue;
      throw Error("materials: region {} of the mesh has none; add one with \"region\": {} or \"all\"", region, region);
    }
    Assignment tets(scene_.materials.size());
    for (int e = 0; e < body_.mesh.tets(); ++e) tets[chosen.at(body_.mesh.region[e])].push_back(e);
    return tets;
  }

  void make_elastic(const Assignment& assignment) {
    std::vector<ElasticPart> parts;
    std::vector<MusclePart> muscles;
    body_.vertex_mass = VectorXd::Zero(body_.mesh.vertices());
    for (size_t m = 0; m < assignment.size(); ++m) {
      if (assignment[m].empty()) continue;
      const MaterialSpec& spec = scene_.materials[m];
      for (int e : assignment[m])
        for (int a = 0; a < 4; ++a) body_.vertex_mass[body_.mesh.T(e, a)] += spec.rho * tet_volume(body_.mesh, e) / 4;
      add_part(parts, isotropic_laws(), spec.law, assignment[m]);
      if (spec.graded) parts.back().factor = grades(spec, assignment[m]);
      if (spec.fiber) {
        lay_fibers(*spec.fiber, assignment[m]);
        add_part(parts, fiber_laws(), spec.fiber->law, assignment[m]);
        if (spec.fiber->active) muscles.push_back(muscle_of(*spec.fiber, assignment[m]));
      }
    }
    body_.elastic = std::make_unique<ElasticEnergy>(body_.mesh, std::move(parts));
    if (!muscles.empty()) body_.muscle = std::make_unique<MuscleEnergy>(body_.mesh, std::move(muscles));
  }

  void add_part(std::vector<ElasticPart>& parts, const std::vector<MaterialEntry>& table, const Item& law,
                const std::vector<int>& tets) {
    std::shared_ptr<const Material> material = make_item(table, law);
    stiffest_ = std::max(stiffest_, material->reference_modulus());
    parts.push_back({std::move(material), tets});
  }

  /// The factor on each tetrahedron's stiffness, by the place of its middle.
  std::vector<double> grades(const MaterialSpec& spec, const std::vector<int>& tets) const {
    const GradedSpec& graded = *spec.graded;
    if (graded.from == graded.to)
      throw Error("{}.graded: from and to are both {}; they must differ", spec.law.path, graded.from);
    std::vector<double> factors;
    for (int e : tets) {
      double middle = 0;
      for (int a = 0; a < 4; ++a) middle += body_.mesh.X(body_.mesh.T(e, a), graded.axis) / 4;
      const double s = std::clamp((middle - graded.from) / (graded.to - graded.from), 0.0, 1.0);
      factors.push_back((1 - s) * graded.factor[0] + s * graded.factor[1]);
    }
    return factors;
  }

  MusclePart muscle_of(const FiberSpec& fiber, const std::vector<int>& tets) const {
    const std::string where = fiber.law.path + ".active.activation";
    for (const Pair& point : fiber.active->activation)
      if (!(point[1] >= 0 && point[1] <= 1)) throw Error("{}: {} is not between 0 and 1", where, point[1]);
    return {tets, fiber.active->stress, fiber.active->width, TimeProfile(fiber.active->activation, where)};
  }

  void lay_fibers(const FiberSpec& fiber, const std::vector<int>& tets) {
    if (fiber.direction) {
      if (!(fiber.direction->norm() > 0)) {
        throw Error("{}.direction = [0, 0, 0]: expected a direction", fiber.law.path);
      }
      for (int e : tets) body_.mesh.fiber.row(e) = fiber.direction->normalized().transpose();
      return;
    }
    const bool some = std::any_of(tets.begin(), tets.end(), [&](int e) { return !body_.mesh.fiber.row(e).isZero(); });
    if (!some) {
      throw Error("{}: the mesh has no fibers here; give a \"direction\"", fiber.law.path);
    }
  }

  double mean_edge() const {
    double sum = 0;
    for (int e = 0; e < body_.mesh.tets(); ++e) sum += std::cbrt(6 * std::sqrt(2.0) * tet_volume(body_.mesh, e));
    return sum / body_.mesh.tets();  // the edge of a regular tetrahedron of that volume
  }

  const Scene& scene_;
  Body& body_;
  double stiffest_ = 0;  // [Pa]
};

/// What the patches make of each spring's stiffness.
VectorXd spring_factors(const Scene& scene, const SpringNet& net) {
  VectorXd factor = VectorXd::Ones(net.springs.rows());
  if (scene.springs->patches.empty()) return factor;
  const VertexSets sets = select_vertices(scene.sets, net.X, {});
  for (const SpringPatch& patch : scene.springs->patches) {
    std::vector<char> inside(net.vertices(), 0);
    for (int v : sets.at(patch.set)) inside[v] = 1;
    for (Index s = 0; s < factor.size(); ++s)
      if (inside[net.springs(s, 0)] && inside[net.springs(s, 1)]) factor[s] = patch.factor;
  }
  return factor;
}

void make_spring_net(const Scene& scene, Body& body) {
  const Item& generator = scene.mesh.generator;
  const SpringSpec& springs = *scene.springs;
  body.net = make_item(spring_generators(), generator);
  put_in_place(body.net, scene.mesh.transform);
  body.triangles = body.net.triangles;
  const int n = body.net.vertices();
  body.vertex_mass = VectorXd::Constant(n, springs.vertex_mass ? *springs.vertex_mass : *springs.total_mass / n);
  const double by_kind[] = {springs.stiffness, springs.shear_stiffness, springs.bend_stiffness};
  VectorXd stiffness(body.net.springs.rows());
  const VectorXd factor = spring_factors(scene, body.net);
  double length = 0;
  for (Index s = 0; s < stiffness.size(); ++s) {
    stiffness[s] = by_kind[body.net.kind[s]] * factor[s];
    length += (body.net.X.row(body.net.springs(s, 0)) - body.net.X.row(body.net.springs(s, 1))).norm();
  }
  length /= static_cast<double>(stiffness.size());
  body.elastic = std::make_unique<SpringEnergy>(body.net.X, body.net.springs, stiffness);
  for (int v = 0; v < n; ++v) body.contact_vertices.push_back(v);
  body.contact_area =
      body.triangles.rows() > 0 ? lumped_area(body.net.X, body.triangles) : VectorXd::Constant(n, length * length);
  body.contact_stiffness = springs.stiffness / (length * length);
}

template <class Rows>
void append(Rows& to, const Rows& more) {
  const Index n = to.rows();
  to.conservativeResize(n + more.rows(), to.cols());
  to.bottomRows(more.rows()) = more;
}

/// Bones, alone or after the vertices of the body that they carry.
void add_bones(const Scene& scene, Body& body) {
  const bool alone = body.X().rows() == 0;
  const VertexSets sets = alone ? VertexSets() : select_vertices(scene.sets, body.X(), body.groups);
  body.bones = make_bones(scene, sets, body.X(), body.vertex_mass);
  const BonePoints& points = *body.bones->points;
  const VectorXd mass = points.mass().head(points.count());
  body.joints = std::make_unique<JointEnergy>(body.bones->points);
  body.x0 = body.X();
  append(body.x0, points.rest_positions());
  append(body.triangles, points.triangles());
  append(body.vertex_mass, mass);
  const std::vector<int> surface = points.surface_vertices();
  const VectorXd area = lumped_area(body.x0, points.triangles());
  body.contact_vertices.insert(body.contact_vertices.end(), surface.begin(), surface.end());
  append(body.contact_area, VectorXd(area(surface)));
  // So stiff that the weight of all bones, on a hundredth of their surface, sinks in by a millimeter.
  if (alone) body.contact_stiffness = mass.sum() * 9.81 / (0.01 * area.sum() * 1e-3);
}

}  // namespace

Body make_body(const Scene& scene) {
  Body body;
  if (scene.mesh.source == MeshSpec::Source::springs) {
    make_spring_net(scene, body);
  } else if (scene.mesh.source != MeshSpec::Source::none) {
    SolidMaker(scene, body).make();
  }
  if (scene.bones.empty()) {
    body.x0 = body.X();
  } else {
    add_bones(scene, body);
  }
  return body;
}

Body make_body(const Scene& scene, TetMesh mesh, const std::map<int, std::string>& region_names,
               double contact_stiffness) {
  Body body;
  body.mesh = std::move(mesh);
  body.region_names = region_names;
  body.contact_stiffness = contact_stiffness;
  SolidMaker(scene, body).assign_materials();
  body.x0 = body.X();
  return body;
}

}  // namespace brio
