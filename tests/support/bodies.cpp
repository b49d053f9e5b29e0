#include "support/bodies.hpp"

namespace brio::testing {

std::shared_ptr<const Material> law(const std::string& name, const std::map<std::string, OptionValue>& options) {
  const MaterialEntry& row = find_row(isotropic_laws(), "law", name);
  return row.make(Options(row.options, options, name));
}

std::shared_ptr<const Material> soft_law() { return law("stable-neo-hookean", {{"E", 1e5}, {"nu", 0.4}}); }

std::vector<int> first_integers(int n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

VectorXd stacked(const MatrixX3d& x) { return x.reshaped<Eigen::RowMajor>(); }

MatrixX3d shaken(MatrixX3d x, double amplitude, int seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> even(-amplitude, amplitude);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += even(random);
  return x;
}

Bar::Bar(int cells, bool held, std::shared_ptr<const Material> material, double rho)
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

Bar& Bar::with_gravity(const Vec3& g) {
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, g));
  return *this;
}

NodalSystem Bar::system() { return NodalSystem(std::move(parts)); }

State at_rest(const NodalSystem& system) {
  return {0, system.free_part(system.rest_positions()), VectorXd::Zero(system.dofs()), {}};
}

}  // namespace brio::testing
