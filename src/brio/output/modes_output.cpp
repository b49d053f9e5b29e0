#include "brio/output/modes_output.hpp"

#include "brio/core/json.hpp"
#include "brio/output/csv_text.hpp"
#include "brio/output/drawn_simulation.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr size_t kMostShown = 48;          // moving bodies that a page can draw smoothly
constexpr size_t kPageBytes = 24'000'000;  // of the frames of all modes together
constexpr int kFrames = 32;                // of one period
constexpr double kAmplitude = 0.1;         // of the largest displacement, in diagonals of the body

const char* kind(const Vibration& v) { return v.rigid ? "rigid" : v.unstable() ? "unstable" : "elastic"; }

void write_table(const std::filesystem::path& file_name, const Scene& scene, const std::vector<Vibration>& vibrations) {
  const std::vector<std::string> names = mode_names(vibrations);
  write_whole_file(file_name, [&](OutputFile& file) {
    file.write(
        "mode,kind,lambda,frequency_hz,period_s,h_omega,mass_share_x,mass_share_y,mass_share_z,body,body_share\n");
    for (size_t i = 0; i < vibrations.size(); ++i) {
      const Vibration& v = vibrations[i];
      file.write(fmt::format("{},{},{:.12g},{:.12g},{},{:.12g},{:.6g},{:.6g},{:.6g},{},{:.6g}\n", names[i], kind(v),
                             v.lambda, v.frequency(),
                             v.frequency() > 0 ? fmt::format("{:.12g}", 1 / v.frequency()) : "", scene.h * v.omega(),
                             v.mass_share[0], v.mass_share[1], v.mass_share[2], csv_text(v.body), v.body_share));
    }
  });
}

/// One period of the mode, from the shape through both extremes and back.
Recording swing(const Simulation& simulation, const Vibration& vibration, const RecordingLimits& limits) {
  const NodalSystem& system = *simulation.system;
  const State& state = simulation.state;
  MatrixX3d rest, x;
  system.positions(state.t, state.q, rest);
  system.positions(state.t, state.q + vibration.shape, x);
  const double largest = (x - rest).rowwise().norm().maxCoeff();
  const double diagonal = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  const double amplitude = largest > 0 ? kAmplitude * (diagonal > 0 ? diagonal : 1) / largest : 0;
  Recording recording(topology(simulation), drawn_obstacles(simulation), limits);
  for (int frame = 0; frame <= kFrames; ++frame) {
    const double phase = static_cast<double>(frame) / kFrames;
    const double now = std::sin(2 * std::numbers::pi * phase);
    system.positions(state.t, state.q + amplitude * now * vibration.shape, x);
    // In place of the velocity: the displacement, the largest of the whole period being one.
    const MatrixX3d shown = largest > 0 ? MatrixX3d((x - rest) / (amplitude * largest)) : MatrixX3d(x - rest);
    recording.add({phase, x, shown, simulation.strain(x), placements_at(simulation, state.t)});
  }
  return recording;
}

std::string label(const std::string& number, const Vibration& v) {
  const std::string name = v.body.empty() ? number : fmt::format("{} ({})", number, v.body);
  if (v.rigid) return name;
  if (v.unstable()) return fmt::format("{}: unstable, grows by e in {:.3g} s", name, 1 / v.omega());
  return fmt::format("{}: {:.4g} Hz", name, v.frequency());
}

}  // namespace

std::vector<std::string> mode_names(const std::vector<Vibration>& vibrations) {
  std::vector<std::string> names;
  int rigid = 0, elastic = 0;
  for (const Vibration& v : vibrations)
    names.push_back(v.rigid ? fmt::format("rigid {}", ++rigid) : fmt::format("{}", ++elastic));
  return names;
}

int write_modes(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation,
                const std::vector<Vibration>& vibrations) {
  create_folder(folder);
  write_table(folder / "modes.csv", scene, vibrations);
  const std::vector<std::string> names = mode_names(vibrations);
  std::vector<size_t> shown;
  for (bool rigid : {false, true})
    for (size_t i = 0; i < vibrations.size(); ++i)
      if (vibrations[i].rigid == rigid && shown.size() < kMostShown) shown.push_back(i);
  const RecordingLimits limits{kFrames + 1, kPageBytes / shown.size()};
  const Json head = {{"kind", "modes"},
                     {"title", scene.name + ", modes"},
                     {"description", scene.description},
                     {"up", vec_json(up_direction(scene))}};
  write_page(folder / "modes.html", report_template(), [&](OutputFile& file) {
    write_with_list(file, head, "runs", shown.size(), [&](size_t k) {
      const Vibration& v = vibrations[shown[k]];
      const Json summary = {{"status", "finished"},
                            {"mode", names[shown[k]]},
                            {"kind", kind(v)},
                            {"lambda", v.lambda},
                            {"frequency", v.frequency()},
                            {"h_omega", scene.h * v.omega()},
                            {"mass", vec_json(v.mass_share)}};
      write_recording(file, {{"name", label(names[shown[k]], v)}, {"summary", summary}, {"series", Json::object()}},
                      swing(simulation, v, limits));
    });
  });
  return static_cast<int>(shown.size());
}

}  // namespace brio
