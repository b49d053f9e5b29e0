#include "brio/output/run_output.hpp"

#include "brio/core/json.hpp"
#include "brio/output/report.hpp"

#include <fmt/format.h>

namespace brio {
RunOutput::RunOutput(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation,
                     const std::vector<std::string>& formats)
    : folder_(create_folder(folder)),
      scene_(scene),
      simulation_(simulation),
      csv_(folder_ / "energy.csv"),
      formats_(formats),
      recorder_(simulation) {
  if (!simulation.probe.empty()) probe_.emplace(folder_ / "probe.csv");
  if (!simulation.bodies.front().name.empty()) {
    std::vector<std::string> names;
    for (const Body& body : simulation.bodies) names.push_back(body.name);
    bodies_.emplace(folder_ / "bodies.csv", std::move(names));
  }
  if (!simulation.adaptive_nodes.empty()) liveliness_.emplace(folder_ / "liveliness.csv", simulation.adaptive_nodes);
  for (const std::string& format : formats_) {
    writers_.push_back(find_row(frame_formats(), "frame format", format).make(folder_ / format, topology(simulation)));
  }
}

void RunOutput::on_step(const StepRecord& r) {
  csv_.write(r);
  if (probe_) probe_->write(r);
  if (bodies_) bodies_->write(r);
  if (liveliness_) liveliness_->write(r);
  recorder_.on_step(r);
}

void RunOutput::on_frame(const RunFrame& run_frame) {
  recorder_.on_frame(simulation_, run_frame, [&](const Frame& frame) {
    for (const auto& writer : writers_) writer->write(frame);
  });
}

void RunOutput::on_cut() {
  ++cuts_;
  const BodyTopology body = topology(simulation_);
  for (size_t i = 0; i < writers_.size(); ++i) {
    if (writers_[i]->set_topology(body)) continue;
    writers_[i]->finish();
    const FrameFormatEntry& row = find_row(frame_formats(), "frame format", formats_[i]);
    writers_[i] = row.make(folder_ / fmt::format("{}-cut{}", formats_[i], cuts_), body);
  }
  if (liveliness_)  // the nodes are others now
    liveliness_.emplace(folder_ / fmt::format("liveliness-cut{}.csv", cuts_), simulation_.adaptive_nodes);
  recorder_.on_cut(simulation_);
}

RunSummary RunOutput::finish(const RunResult& result) {
  for (const auto& writer : writers_) writer->finish();
  RunSummary summary = summarize(simulation_, result);
  summary.bodies = summarize_bodies(simulation_, recorder_.bodies());
  write_whole_file(folder_ / "summary.json", [&](OutputFile& file) { file.write(to_json(summary).dump(2) + "\n"); });
  write_report(report_path(), {scene_.name,
                               scene_.description,
                               up_direction(scene_),
                               {{.name = summary.integrator,
                                 .summary = summary,
                                 .recording = recorder_.recording(),
                                 .series = recorder_.series(),
                                 .liveliness = liveliness_ ? &*liveliness_ : nullptr,
                                 .bodies = &recorder_.bodies()}}});
  return summary;
}

}  // namespace brio
