#include "brio/output/run_recorder.hpp"

#include "brio/collide/collision_surface.hpp"

#include <cmath>

namespace brio {

RunRecorder::RunRecorder(const Simulation& simulation, RecordingLimits limits)
    : recording_(topology(simulation), drawn_obstacles(simulation), limits),
      bodies_(recording_.part().body_names.size()) {
  if (const CollisionSurface* surfaces = simulation.system->surfaces()) reach_ = surfaces->longest_reach();
  if (reach_ > 0) series_ = series_with(page_curves());
}

std::vector<Extra> page_curves() {
  static constexpr Extra kContacts{"contacts", "pairs of surfaces that push each other", "", Extra::Over::curve};
  static constexpr Extra kGap{"smallest_gap", "between these surfaces; the range of contact where nothing touches", "m",
                              Extra::Over::curve, Extra::Value::number};
  std::vector<Extra> curves = declared_curves();
  curves.push_back(kContacts);
  curves.push_back(kGap);
  return curves;
}

Series RunRecorder::series_with(const std::vector<Extra>& curves) {
  constexpr int kMostRows = 5000;
  std::vector<std::string> names;
  for (const Extra& curve : curves) names.emplace_back(curve.name);
  return Series(kMostRows, names);
}

void RunRecorder::add_energies(const StepRecord& r) {
  std::vector<double> extras;
  for (const Extra& curve : curves_) extras.push_back(r.report.extras.find(curve.name).value_or(std::nan("")));
  if (reach_ > 0) {
    extras.push_back(r.report.contacts);
    extras.push_back(r.report.contacts > 0 ? r.report.smallest_gap : reach_);
  }
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
  const MadeFrame made(simulation, run_frame);
  const Frame& frame = made.frame();
  if (also) also(frame);
  recording_.add(frame, nodes_);
}

void RunRecorder::on_cut(const Simulation& simulation) { recording_.set_topology(topology(simulation)); }

}  // namespace brio
