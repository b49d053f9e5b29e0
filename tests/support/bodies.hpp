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

std::shared_ptr<const Material> law(const std::string& name, const std::map<std::string, OptionValue>& options);

std::shared_ptr<const Material> soft_law();

std::vector<int> first_integers(int n);

VectorXd stacked(const MatrixX3d& x);

/// Positions moved at random by up to `amplitude` [m].
MatrixX3d shaken(MatrixX3d x, double amplitude, int seed = 1);

using brio::lumped_mass;

/// A block of 0.4 x 0.1 x 0.1 m, `cells` cells across, with the given energies added; held at x = 0 when `held`.
struct Bar {
  TetMesh mesh;
  NodalParts parts;

  explicit Bar(int cells, bool held, std::shared_ptr<const Material> material = soft_law(), double rho = 1000);
  Bar& with_gravity(const Vec3& g = {0, -9.81, 0});
  NodalSystem system();
};

State at_rest(const NodalSystem& system);

}  // namespace brio::testing
