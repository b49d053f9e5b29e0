#pragma once
// Small bodies for the tests.

#include "brio/energy/elastic_energy.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/system/nodal_system.hpp"

#include <memory>
#include <numeric>
#include <random>
#include <string>

namespace brio::testing {

inline std::shared_ptr<const Material> law(const std::string& name, const std::map<std::string, OptionValue>& options) {
  const MaterialEntry& row = find_row(isotropic_laws(), "law", name);
  return row.make(Options(row.options, options, name));
}

inline std::shared_ptr<const Material> soft_law() { return law("stable-neo-hookean", {{"E", 1e5}, {"nu", 0.4}}); }

inline std::vector<int> first_integers(int n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

inline VectorXd stacked(const MatrixX3d& x) { return x.reshaped<Eigen::RowMajor>(); }

/// Positions moved at random by up to `amplitude` [m].
inline MatrixX3d shaken(MatrixX3d x, double amplitude, int seed = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> even(-amplitude, amplitude);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += even(random);
  return x;
}

using brio::lumped_mass;

/// A block of 0.4 x 0.1 x 0.1 m, `cells` cells across, with the given energies added; held at x = 0 when `held`.
struct Bar {
  TetMesh mesh;
  NodalParts parts;

  explicit Bar(int cells, bool held, std::shared_ptr<const Material> material = soft_law(), double rho = 1000)
      : mesh(make_box(Vec3(0.4, 0.1, 0.1), {4 * cells, cells, cells}, 6)) {
    parts.x0 = mesh.X;
    parts.vertex_mass = lumped_mass(mesh, rho);
    parts.energies.push_back(std::make_unique<ElasticEnergy>(
        mesh, std::vector<ElasticPart>{{std::move(material), first_integers(mesh.tets())}}));
    if (!held) return;
    Support wall{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < 1e-9) wall.vertices.push_back(v);
    parts.supports.push_back(std::move(wall));
  }

  Bar& with_gravity(const Vec3& g = {0, -9.81, 0}) {
    parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, g));
    return *this;
  }

  NodalSystem system() { return NodalSystem(std::move(parts)); }
};

inline State at_rest(const NodalSystem& system) {
  return {0, system.free_part(system.rest_positions()), VectorXd::Zero(system.dofs()), {}};
}

}  // namespace brio::testing
