// The phases on their own: energy, gradient and stiffness of every isotropic law, factorization, block solves and
// products.

#include "brio/energy/elastic_energy.hpp"
#include "brio/linalg/cholesky.hpp"
#include "brio/material/materials.hpp"

#include <benchmark/benchmark.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

constexpr const char* kBar = "bar-32k";

/// Enough for a law to be made: the values of the bars' scenes where a law has them.
std::unique_ptr<Material> usual(const MaterialEntry& law) {
  std::map<std::string, OptionValue> given;
  for (const Option& option : law.options) {
    if (option.key == "E") given["E"] = 5e5;
    if (option.key == "nu") given["nu"] = 0.45;
    if (option.key == "a" && option.kind == Option::Kind::numbers) given["a"] = std::vector<double>{5e5};
    if (option.key == "a" && option.kind == Option::Kind::pairs) {
      given["a"] = std::vector<Pair>{{0.5, -2e5}, {1, 0}, {1.5, 2e5}};
    }
  }
  return law.make(Options(law.options, given, law.name));
}

void elements(benchmark::State& bench, const MaterialEntry& law, bool hessian) {
  const Simulation simulation = build_bar(kBar);
  std::vector<int> all(simulation.bodies[0].mesh.tets());
  for (int e = 0; e < simulation.bodies[0].mesh.tets(); ++e) all[e] = e;
  ElasticEnergy energy(simulation.bodies[0].mesh, {{usual(law), all}});
  const NodalSystem& system = *simulation.system;
  std::vector<int> dof(system.vertices());
  std::vector<std::pair<int, int>> pairs;
  for (int v = 0; v < system.vertices(); ++v) dof[v] = v;
  energy.add_couplings(pairs);
  const auto pattern = std::make_shared<BlockPattern>(system.vertices(), std::move(pairs));
  energy.attach({dof, pattern.get()});
  BlockMatrix K(pattern);
  const VectorXd x = 1.05 * simulation.bodies[0].mesh.X.reshaped<Eigen::RowMajor>();
  VectorXd g = VectorXd::Zero(x.size());
  double value = 0;
  for (auto _ : bench) {
    if (hessian) {
      energy.evaluate(0, x, {.gradient = &g, .hessian = &K, .psd = Psd::clamp});
    } else {
      energy.evaluate(0, x, {.value = &value, .gradient = &g});
    }
  }
  bench.counters["tets"] =
      benchmark::Counter(simulation.bodies[0].mesh.tets(), benchmark::Counter::kIsIterationInvariantRate);
}

/// The matrix of the first step of a bar.
struct Matrix {
  Simulation simulation;
  BlockMatrix K;
  explicit Matrix(const std::string& bar) : simulation(build_bar(bar)), K(simulation.system->pattern()) {
    VectorXd g;
    simulation.system->derivatives(0, simulation.state.q, Psd::none, g, K);
  }
  FactorStatus factor(Cholesky& cholesky) const {
    return cholesky.factor(K, simulation.h * simulation.h, simulation.system->mass());
  }
};

void factor(benchmark::State& bench, const std::string& bar) {
  const Matrix matrix(bar);
  const auto cholesky = make_cholesky(matrix.simulation.system->pattern());
  for (auto _ : bench) benchmark::DoNotOptimize(matrix.factor(*cholesky));
  bench.counters["nnz"] = cholesky->stats().factor_nonzeros;
  bench.SetLabel(cholesky->stats().backend + ", " + cholesky->stats().ordering);
}

void solve(benchmark::State& bench, const std::string& bar) {
  const Matrix matrix(bar);
  const auto cholesky = make_cholesky(matrix.simulation.system->pattern());
  matrix.factor(*cholesky);
  MatrixXd B = MatrixXd::Random(matrix.simulation.system->dofs(), bench.range(0));
  for (auto _ : bench) cholesky->solve(B);
}

void product(benchmark::State& bench, const std::string& bar) {
  const Matrix matrix(bar);
  const VectorXd x = VectorXd::Random(matrix.simulation.system->dofs());
  VectorXd y;
  for (auto _ : bench) matrix.K.multiply(x, y);
}

const int kPhaseBenches = [] {
  const auto add = [](const std::string& name, auto body) {
    return benchmark::RegisterBenchmark(name.c_str(), body)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  for (const MaterialEntry& law : isotropic_laws()) {
    add("energy+gradient/" + law.name, [&law](auto& s) { elements(s, law, false); });
    add("gradient+stiffness/" + law.name, [&law](auto& s) { elements(s, law, true); });
  }
  for (const std::string& bar : kBars) {
    add("factor/" + bar, [bar](auto& s) { factor(s, bar); });
    add("solve/" + bar, [bar](auto& s) { solve(s, bar); })->Arg(1)->Arg(8)->Arg(32);
    add("product/" + bar, [bar](auto& s) { product(s, bar); });
  }
  return 0;
}();

}  // namespace
}  // namespace brio::bench
