#include "brio/output/run_recorder.hpp"

#include <cmath>

namespace brio {

RunRecorder::RunRecorder(const Simulation& simulation, RecordingLimits limits)
    : recording_(topology(simulation), drawn_obstacles(simulation), limits),
      bodies_(recording_.part().body_names.size()) {}

Series RunRecorder::series_with(const std::vector<Extra>& curves) {
  constexpr int kMostRows = 5000;
  std::vector<std::string> names;
  for (const Extra& curve : curves) names.emplace_back(curve.name);
  return Series(kMostRows, names);
}

void RunRecorder::add_energies(const StepRecord& r) {
  std::vector<double> extras;
  for (const Extra& curve : curves_) extras.push_back(r.report.extras.find(curve.name).value_or(std::nan("")));
  series_.add({r.time, r.kinetic, r.potentials.elastic, r.potentials.gravity, r.potentials.contact, r.injected,
               r.dissipated, r.momentum.linear, r.momentum.angular, std::move(extras)});
}

void RunRecorder::on_step(const StepRecord& r) {
  add_energies(r);
  bodies_.add(r);
  nodes_ = {r.report.awake, r.report.liveliness};
}

void RunRecorder::on_frame(const Simulation& simulation, const RunFrame& run_frame,
                           const std::function<void(const Frame&)>& also) {
  const VectorXd strain = simulation.strain(run_frame.x);
  const std::vector<Placement> obstacles = placements_at(simulation, run_frame.time);
  const std::optional<BodyStress> stress = simulation.stress(
      run_frame.x, simulation.scene->output.stress ? StressDetail::all : StressDetail::vertices);
  const Frame frame{run_frame.time, run_frame.x, run_frame.u, strain, obstacles, stress ? &*stress : nullptr};
  if (also) also(frame);
  recording_.add(frame, nodes_);
}

void RunRecorder::on_cut(const Simulation& simulation) { recording_.set_topology(topology(simulation)); }

}  // namespace brio
