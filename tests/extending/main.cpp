// Tries the law, the energy and the integrator of docs/extending.md, from outside the library, and repeats a run of
// `brio run scene.json --plugin libmine.so` with the same rows in a program of its own.
// usage: extending SCENE.json OWN_SCENE.json FOLDER_OF_THE_RUN

#include "cushion.hpp"
#include "linear_midpoint.hpp"
#include "rows.hpp"
#include "tissue.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

using namespace brio;

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  std::printf("%s %s\n", good ? "ok  " : "FAIL", what);
  failures += !good;
}

/// The derivatives of a law against central differences, at stretches that are all different; one case is inside out.
template <class Law>
bool derivatives_agree(const Law& law) {
  const double d = 1e-5;  // differences of second order are then good to about 1e-9 of the curvature
  for (const V3<double>& s : {V3<double>{1.3, 0.9, 0.7}, V3<double>{1.1, 0.8, -0.4}}) {
    const V3<double> p = law.dpsi(s);
    const M3<double> A = law.d2psi(s);
    for (int i = 0; i < 3; ++i) {
      V3<double> more = s, less = s;
      more[i] += d, less[i] -= d;
      const double scale = std::fabs(A(0, 0)) + std::fabs(A(1, 1)) + std::fabs(A(2, 2));
      if (std::fabs((law.psi(more) - law.psi(less)) / (2 * d) - p[i]) > 1e-7 * scale) return false;
      for (int j = 0; j < 3; ++j)
        if (std::fabs((law.dpsi(more)[j] - law.dpsi(less)[j]) / (2 * d) - A(i, j)) > 1e-7 * scale) return false;
    }
  }
  return true;
}

/// A bar of the material with one end in the wall, under its weight.
NodalSystem hanging_bar(std::shared_ptr<const Material> material) {
  const TetMesh mesh = make_bar(0.4, 0.1, 0.1, 2);
  NodalParts parts;
  parts.x0 = mesh.X;
  parts.vertex_mass = lumped_mass(mesh, 1000);  // [kg/m^3]
  std::vector<int> all(mesh.tets());
  std::iota(all.begin(), all.end(), 0);
  parts.energies.push_back(make_solid_energy(mesh, {{material, all}}));
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -9.81, 0)));
  Support wall{{}, stand_still()};
  for (int v = 0; v < mesh.vertices(); ++v)
    if (mesh.X(v, 0) < 1e-9) wall.vertices.push_back(v);
  parts.supports.push_back(wall);
  return NodalSystem(std::move(parts));
}

/// Where the bar is after a fifth of a second.
VectorXd swung(const NodalSystem& system, int steps) {
  LinearMidpoint method(PsdPolicy::automatic);
  method.prepare(system);
  State state{0, system.rest(), VectorXd::Zero(system.dofs()), {}};
  for (int i = 0; i < steps; ++i)
    if (method.step(state, 0.2 / steps).status != StepStatus::ok) return VectorXd::Zero(system.dofs());
  return state.q;
}

/// Energy that a scene loses until its end, with the given method in place of its own [J].
double energy_lost(const Scene& scene, std::unique_ptr<Integrator> method) {
  Simulation simulation = build_simulation(scene);
  if (method) {
    simulation.integrator = std::move(method);
    simulation.integrator->prepare(*simulation.system);
  }
  const RunResult result = run(simulation, {});
  return result.initial_energy - result.final_energy;
}

/// The gradient of the cushion against central differences of its energy, and its stiffness against those of the
/// gradient, at three depths and above it.
bool cushion_derivatives_agree() {
  Cushion cushion({0, 1, 2, 3}, 2.0, 0.5);
  const auto pattern = std::make_shared<const BlockPattern>(4, std::vector<std::pair<int, int>>());
  cushion.attach({{0, 1, 2, 3}, pattern.get()});
  const double d = 1e-5;
  VectorXd x(12);
  x << 0, 0.4, 0, 1, 0.1, 0, 2, -0.7, 1, 3, 0.9, 1;
  const auto energy = [&](const VectorXd& at) {
    double value = 0;
    cushion.evaluate(0, at, {.value = &value});
    return value;
  };
  const auto gradient = [&](const VectorXd& at) {
    VectorXd g = VectorXd::Zero(12);
    cushion.evaluate(0, at, {.gradient = &g});
    return g;
  };
  BlockMatrix K(pattern);
  cushion.evaluate(0, x, {.hessian = &K});
  const VectorXd g = gradient(x);
  VectorXd column(12);
  for (int i = 0; i < 12; ++i) {
    VectorXd more = x, less = x;
    more[i] += d, less[i] -= d;
    K.multiply(VectorXd::Unit(12, i), column);
    if (std::fabs((energy(more) - energy(less)) / (2 * d) - g[i]) > 1e-8) return false;
    if (((gradient(more) - gradient(less)) / (2 * d) - column).norm() > 1e-8) return false;
  }
  return g.norm() > 0;
}

/// How far the positions in the last file that the plug-in's format wrote are from those of a run in this program [m];
/// infinite where they cannot be compared.
double distance_from_the_program(const char* scene_file, const std::string& folder) {
  const Scene scene = load_scene(scene_file, scene_tables());
  Simulation simulation = build_simulation(scene);
  MatrixX3d last;
  RunListener listener;
  listener.on_frame = [&](const RunFrame& frame) { last = frame.x; };
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (run(simulation, listener).status != RunStatus::finished) return kNone;
  std::ifstream file(folder + "/xyz/last.xyz");
  std::istringstream here(xyz_text(last));
  double farthest = 0;
  size_t words = 0;
  for (std::string ours, theirs; here >> ours; ++words) {
    if (!(file >> theirs)) return kNone;
    if (ours == theirs) continue;
    farthest = std::max(farthest, std::fabs(std::strtod(ours.c_str(), nullptr) - std::strtod(theirs.c_str(), nullptr)));
  }
  return words > 0 && words == static_cast<size_t>(last.size()) ? farthest : kNone;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;

  const MaterialEntry row = tissue_entry();
  std::shared_ptr<const Material> tissue = row.make(Options(row.options, {{"E", 2e5}}, "tissue"));
  expect(derivatives_agree(Tissue{1e5, 4e5, 1}), "the law's derivatives are those of its energy");
  expect(std::fabs(tissue->reference_modulus() / 2e5 - 1) < 1e-12, "small strains see Young's modulus");

  // Second order: each halving of the step brings the end four times nearer to that of the next halving.
  const NodalSystem bar = hanging_bar(tissue);
  const VectorXd coarse = swung(bar, 100), middle = swung(bar, 200), fine = swung(bar, 400);
  const double ratio = (coarse - middle).norm() / (middle - fine).norm();
  std::printf("     the error shrinks %.2f times when the step is halved\n", ratio);
  expect(ratio > 3.5 && ratio < 4.5, "the integrator is of second order on a bar of this tissue");

  // A scene of brio's own, with its integrator (si) and with this one.
  const Scene scene = load_scene(argv[1], scene_tables());
  const double lost_by_si = energy_lost(scene, nullptr);
  const double lost = energy_lost(scene, std::make_unique<LinearMidpoint>(PsdPolicy::automatic));
  std::printf("     energy lost: si %.3f J, my-midpoint %.3f J\n", lost_by_si, lost);
  expect(std::fabs(lost) < 0.2 * lost_by_si, "it keeps the energy that si loses");

  // A scene file that names rows of our own: in this program, and in the stock program that has loaded the plug-in.
  expect(cushion_derivatives_agree(), "the energy's gradient is that of its value");
  Registry registry;
  register_rows(registry);
  // Where the two are compiled for other instructions, Eigen's inline functions round differently in them.
  const double distance = distance_from_the_program(argv[2], argv[3]);
  std::printf("     brio --plugin ends %.2g m away\n", distance);
  expect(distance < 1e-9, "brio --plugin ends where this program ends, but for rounding");
  return failures;
}
