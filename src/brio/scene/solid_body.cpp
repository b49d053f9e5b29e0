#include "brio/scene/solid_body.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/placement.hpp"
#include "brio/scene/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace brio {
namespace {

/// The tetrahedra of each material of the scene.
using Assignment = std::vector<std::vector<int>>;

class SolidMaker {
 public:
  SolidMaker(const BodySpec& spec, Body& body) : spec_(spec), placement_(spec.transform), body_(body) {}

  /// All that follows from the mesh.
  void make() {
    body_.triangles = boundary_triangles(body_.mesh);
    assign_materials(tets_by_material());
    body_.contact.vertices = surface_vertices(body_.triangles);
    const VectorXd area = lumped_area(body_.mesh.X, body_.triangles);
    body_.contact.area = area(body_.contact.vertices);
    if (body_.mesh.fiber.isZero(0)) body_.mesh.fiber.resize(0, 3);  // most bodies have none, and need no room for them
  }

  /// One that suits the stiffest of the materials [Pa/m].
  double contact_stiffness() const { return stiffest_ / mean_edge(); }

 private:
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
    for (size_t m = 0; m < spec_.materials.size(); ++m) {
      for (int region : regions_of(spec_.materials[m], present)) {
        if (present.contains(region)) {
          chosen[region] = m;
        } else {
          body_.notes.push_back(fmt::format("{}.region = {}: the mesh has no such region (it has {})",
                                            spec_.materials[m].law.path, region,
                                            joined(std::vector<int>(present.begin(), present.end()), ", ")));
        }
      }
    }
    for (int region : present) {
      if (chosen.contains(region)) continue;
      throw Error("{}: region {} of the mesh has none; add one with \"region\": {} or \"all\"",
                  join_path(spec_.path, "materials"), region, region);
    }
    Assignment tets(spec_.materials.size());
    for (int e = 0; e < body_.mesh.tets(); ++e) tets[chosen.at(body_.mesh.region[e])].push_back(e);
    return tets;
  }

  void assign_materials(const Assignment& assignment) {
    body_.elastic.clear();
    body_.muscles.clear();
    body_.mass = VectorXd::Zero(body_.mesh.vertices());
    for (size_t m = 0; m < assignment.size(); ++m) {
      if (assignment[m].empty()) continue;
      const MaterialSpec& spec = spec_.materials[m];
      for (int e : assignment[m]) add_lumped_mass(body_.mesh, e, spec.rho, body_.mass);
      add_part(isotropic_laws(), spec.law, assignment[m]);
      if (spec.graded) body_.elastic.back().factor = grades(spec, assignment[m]);
      if (spec.fiber) {
        lay_fibers(*spec.fiber, assignment[m]);
        add_part(fiber_laws(), spec.fiber->law, assignment[m]);
        if (spec.fiber->active) body_.muscles.push_back(muscle_of(*spec.fiber, assignment[m]));
      }
    }
  }

  void add_part(const std::vector<MaterialEntry>& table, const Item& law, const std::vector<int>& tets) {
    std::shared_ptr<const Material> material = make_item(table, law);
    stiffest_ = std::max(stiffest_, material->reference_modulus());
    body_.elastic.push_back({std::move(material), tets, {}});
  }

  /// The factor on each tetrahedron's stiffness, by the place of its middle.
  std::vector<double> grades(const MaterialSpec& spec, const std::vector<int>& tets) const {
    const GradedSpec& graded = *spec.graded;
    if (graded.from == graded.to)
      throw Error("{}.graded: from and to are both {}; they must differ", spec.law.path, graded.from);
    std::vector<double> factors;
    for (int e : tets) {
      double middle = 0;
      for (int a = 0; a < 4; ++a)
        middle += placement_.own_point(body_.mesh.X.row(body_.mesh.T(e, a)).transpose())[graded.axis] / 4;
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
    if (body_.mesh.fiber.rows() == 0) body_.mesh.fiber.setZero(body_.mesh.tets(), 3);
    if (fiber.direction) {
      if (!(fiber.direction->norm() > 0)) {
        throw Error("{}.direction = [0, 0, 0]: expected a direction", fiber.law.path);
      }
      const Vec3 direction = placement_.direction(fiber.direction->normalized());
      for (int e : tets) body_.mesh.fiber.row(e) = direction.transpose();
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
    // The edge of a regular tetrahedron of that volume, or half of it where there is a vertex in its middle.
    return sum / body_.mesh.tets() / body_.mesh.order();
  }

  const BodySpec& spec_;
  BodyPlacement placement_;
  Body& body_;
  double stiffest_ = 0;  // [Pa]
};

}  // namespace

void make_solid(const BodySpec& spec, Body& body) {
  SolidMaker maker(spec, body);
  maker.make();
  if (body.contact_stiffness == 0) body.contact_stiffness = maker.contact_stiffness();
}

}  // namespace brio
