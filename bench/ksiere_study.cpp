// The study of docs/ksiere.md: runs what the page shows and writes it as tables. ksiere_study.py draws them.
// usage: ksiere_study FOLDER

#include "brio/energy/elastic_energy.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/material/materials.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/system/modes.hpp"

#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace brio {
namespace {

struct Method {
  std::string label, name;
  std::map<std::string, OptionValue> options;
};

const Method kSi{"si", "si", {}};
const Method kSiere5{"siere 5", "siere", {{"modes", 5.0}}};
const Method kSiere12{"siere 12", "siere", {{"modes", 12.0}}};
const Method kSiere20{"siere 20", "siere", {{"modes", 20.0}}};
const Method kDepth2{"ksiere depth 2", "ksiere", {{"depth", 2.0}}};
const Method kDepth5{"ksiere depth 5", "ksiere", {{"depth", 5.0}}};
const Method kDepth8{"ksiere depth 8", "ksiere", {{"depth", 8.0}}};
const Method kKsiere{"ksiere", "ksiere", {}};
const Method kCut3{"ksiere cut 3", "ksiere", {{"cut", 3.0}}};
const Method kCut10{"ksiere cut 10", "ksiere", {{"cut", 10.0}}};
const Method kMiddle{"ksiere middle", "ksiere", {{"linearize", std::string("middle")}}};
const Method kGlim{"glim", "glim", {}};
const Method kIm{"im", "im", {}};

std::unique_ptr<Integrator> make(const Method& method, bool projected = false) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", method.name);
  auto options = method.options;
  if (projected) options["psd"] = std::string("clamp");
  return row.make(Options(row.options, options, method.label));
}

Simulation scene(const std::string& name, const std::vector<std::string>& overrides) {
  return build_simulation(
      load_scene(std::string(BRIO_SOURCE_DIR) + "/scenes/" + name + ".json", scene_tables(), overrides));
}

// --- a linear bar with twelve modes of equal energy ------------------------------------------------------------------

void twelve_modes(const std::filesystem::path& folder) {
  auto csv = fmt::output_file((folder / "modes.csv").string());
  csv.print("method,mode,h_omega,energy,solves\n");
  const Simulation bar = scene("bar-1k", {"gravity=[0,0,0]"});
  const NodalSystem& system = *bar.system;
  const auto lin = system.linearization();
  VectorXd gradient;
  lin->assemble(0, bar.state.q, Psd::none, gradient);
  const Modes modes = find_modes(*lin, system.mass(), 12, 1).modes;
  const double h = 0.95 / std::sqrt(modes.lambda[11]), a = 1e-6;  // so little motion that the bar is linear
  const int steps = 50;
  struct Run {
    Method method;
    bool forget;  // what the step before has found
  };
  std::vector<Run> runs;
  for (const Method& method : {kSi, kSiere5, kSiere12, kDepth2, kDepth5, kDepth8, kKsiere, kGlim})
    runs.push_back({method, false});
  for (const Method& method : {kDepth2, kDepth5, kDepth8, kKsiere}) runs.push_back({method, true});
  for (const Run& run : runs) {
    State state = bar.state;
    for (int i = 0; i < 12; ++i) state.v += (i % 2 ? a : -a) * modes.U.col(i);
    const auto integrator = make(run.method);
    integrator->prepare(system);
    double solves = 0;
    for (int i = 0; i < steps; ++i) {
      if (run.forget) state.memory.clear();
      solves += integrator->step(state, h).solves;
    }
    for (int i = 0; i < 12; ++i) {
      const VectorXd Mu = system.mass().cwiseProduct(modes.U.col(i));
      const double v = Mu.dot(state.v), x = Mu.dot(state.q - bar.state.q);
      csv.print("{}{},{},{:.4f},{:.6f},{:.2f}\n", run.method.label, run.forget ? " forgetful" : "", i + 1,
                h * std::sqrt(modes.lambda[i]), (v * v + modes.lambda[i] * x * x) / (a * a), solves / steps);
    }
  }
}

// --- runs of scenes --------------------------------------------------------------------------------------------------

class Runs {
 public:
  Runs(const std::filesystem::path& folder, const std::string& name)
      : series_(fmt::output_file((folder / (name + "-series.csv")).string())),
        table_(fmt::output_file((folder / (name + "-table.csv")).string())) {
    series_.print("case,method,time,energy,solves\n");
    table_.print("case,method,status,steps,start,end,most,least_potential,solves,projections,step_ms\n");
  }

  /// Energy is the total less what moving supports have put in.
  void add(const std::string& label, const Method& method, Simulation simulation, bool projected = false) {
    simulation.integrator = make(method, projected);
    simulation.integrator->prepare(*simulation.system);
    const std::string name = method.label + (projected ? " clamp" : "");
    double start = 0, end = 0, most = 0, least = std::numeric_limits<double>::infinity();
    RunListener listener;
    listener.on_step = [&](const StepRecord& r) {
      end = r.total() - r.injected;
      if (r.step == 0) start = most = end;
      most = std::max(most, end);
      least = std::min(least, r.potentials.total());
      series_.print("{},{},{:.6g},{:.8g},{}\n", label, name, r.time, end, r.report.solves);
    };
    RunResult result = run(simulation, listener);
    table_.print("{},{},{},{},{:.8g},{:.8g},{:.8g},{:.8g},{:.2f},{},{:.4g}\n", label, name, to_string(result.status),
                 result.steps, start, end, most, least, double(result.solves) / std::max(1, result.steps),
                 result.projections, result.step_ms.quantile(0.5));
  }

 private:
  fmt::ostream series_, table_;
};

void stiffness(const std::filesystem::path& folder) {
  Runs runs(folder, "stiffness");
  for (const char* E : {"1e5", "1e6", "1e7", "1e8", "1e9", "1e10"}) {
    for (const Method& method : {kSi, kSiere5, kSiere20, kDepth2, kKsiere, kCut3, kCut10, kMiddle, kGlim, kIm})
      runs.add(E, method, scene("bar-1k", {std::string("materials[0].E=") + E}));
  }
}

/// The bar of `bar-1k`, soft at the wall and stiff at the tip, under a tenth of the usual gravity: under all of it the
/// tip swings through a right angle, and then it is the linearization that every method here loses by.
Simulation two_materials(double soft, double stiff) {
  Simulation bar = scene("bar-1k", {});
  const MaterialEntry& law = find_row(isotropic_laws(), "law", "stable-neo-hookean");
  const auto material = [&](double E) { return law.make(Options(law.options, {{"E", E}, {"nu", 0.45}}, "study")); };
  std::vector<ElasticPart> parts{{material(soft), {}}, {material(stiff), {}}};
  const TetMesh& mesh = bar.bodies.front().mesh;
  for (int e = 0; e < mesh.tets(); ++e) {
    double x = 0;
    for (int a = 0; a < 4; ++a) x += mesh.X(mesh.T(e, a), 0) / 4;
    parts[x < 0.2 ? 0 : 1].tets.push_back(e);
  }
  NodalParts body;
  body.x0 = mesh.X;
  body.vertex_mass = bar.system->vertex_mass();
  body.energies.push_back(std::make_unique<ElasticEnergy>(mesh, parts));
  body.energies.push_back(std::make_unique<GravityEnergy>(body.vertex_mass, Vec3(0, -0.981, 0)));
  body.supports.push_back({bar.sets.at("wall"), stand_still()});
  bar.elastic.clear();  // it belongs to the system that goes
  bar.system = std::make_unique<NodalSystem>(std::move(body));
  return bar;
}

void two_material_bar(const std::filesystem::path& folder) {
  Runs runs(folder, "two-materials");
  for (const Method& method : {kSi, kSiere5, kSiere20, kDepth2, kKsiere, kMiddle, kGlim, kIm})
    runs.add("1e5 and 1e8", method, two_materials(1e5, 1e8));
}

void twisted_cuboid(const std::filesystem::path& folder) {
  Runs runs(folder, "twist");
  struct Twist {
    const char *label, *rate;
  };
  for (const Twist& twist : {Twist{"one turn", "3.14159265"}, Twist{"two turns", "6.2831853"}}) {
    const auto bar = [&] {
      return scene("twisted-bar", {"mesh.cells_across=4", std::string("constraints[1].rate=") + twist.rate});
    };
    for (const Method& method : {kSi, kSiere5, kSiere20, kDepth2, kKsiere, kCut3, kMiddle, kGlim, kIm})
      runs.add(twist.label, method, bar());
    for (const Method& method : {kSi, kSiere5, kKsiere}) runs.add(twist.label, method, bar(), true);
  }
}

void bouncing_ball(const std::filesystem::path& folder) {
  Runs runs(folder, "ball");
  for (const char* h : {"0.002", "0.005"}) {
    for (const Method& method : {kSi, kSiere5, kSiere20, kDepth2, kKsiere, kCut3, kMiddle, kGlim, kIm})
      runs.add(h, method, scene("ball-drop", {"mesh.resolution=4", std::string("integrator.h=") + h}));
  }
}

/// A step against one of si on the larger bars, the methods taking turns.
void cost(const std::filesystem::path& folder) {
  auto csv = fmt::output_file((folder / "cost.csv").string());
  csv.print("bar,method,step_over_si,solves\n");
  struct Bar {
    const char* name;
    int steps;
  };
  const Method methods[] = {kSi, kSiere5, kDepth2, kKsiere, kMiddle, kGlim};
  for (const Bar& bar : {Bar{"bar-5k", 30}, Bar{"bar-32k", 12}}) {
    struct Turn {
      State state;
      std::unique_ptr<Integrator> integrator;
      std::vector<double> ratio;
      double solves = 0;
    };
    const Simulation body = scene(bar.name, {});
    std::vector<Turn> turns;
    for (const Method& method : methods) {
      turns.push_back({body.state, make(method), {}, 0});
      turns.back().integrator->prepare(*body.system);
    }
    for (int i = -2; i < bar.steps; ++i) {  // the first two warm up
      double si = 0;
      for (Turn& turn : turns) {
        const StepReport report = turn.integrator->step(turn.state, body.h);
        if (&turn == &turns[0]) si = report.time.total();
        if (i >= 0) turn.ratio.push_back(report.time.total() / si);
        if (i >= 0) turn.solves += report.solves;
      }
    }
    for (size_t i = 0; i < turns.size(); ++i) {
      std::vector<double>& r = turns[i].ratio;
      std::nth_element(r.begin(), r.begin() + r.size() / 2, r.end());
      csv.print("{},{},{:.3f},{:.2f}\n", bar.name, methods[i].label, r[r.size() / 2], turns[i].solves / bar.steps);
    }
  }
}

}  // namespace
}  // namespace brio

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ksiere_study FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (const auto part : {brio::twelve_modes, brio::stiffness, brio::two_material_bar, brio::twisted_cuboid,
                          brio::bouncing_ball, brio::cost})
    part(folder);
}
