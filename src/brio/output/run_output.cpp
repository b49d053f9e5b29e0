#include "brio/output/run_output.hpp"

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/output/report.hpp"

#include <fmt/format.h>

namespace brio {
namespace fs = std::filesystem;

RunOutput::RunOutput(GoesOn, const fs::path& folder, const Scene& scene, const Simulation& simulation,
                     const std::vector<std::string>& formats)
    : folder_(create_folder(folder)),
      scene_(scene),
      simulation_(simulation),
      csv_(folder_ / "energy.csv"),
      formats_(formats),
      folders_(formats),
      goes_on_(true),
      recorder_(simulation) {
  if (!simulation.probe.empty()) probe_.emplace(folder_ / "probe.csv");
  if (!simulation.bodies.front().name.empty()) {
    std::vector<std::string> names;
    for (const Body& body : simulation.bodies) names.push_back(body.name);
    bodies_.emplace(folder_ / "bodies.csv", std::move(names));
  }
  if (!simulation.reactions.sources.empty()) reactions_.emplace(folder_ / "reactions.csv");
  if (simulation.system->surfaces()) contacts_.emplace(folder_, simulation);
  if (!simulation.adaptive_nodes.empty()) liveliness_.emplace(folder_ / "liveliness.csv", simulation.adaptive_nodes);
}

RunOutput::RunOutput(const fs::path& folder, const Scene& scene, const Simulation& simulation,
                     const std::vector<std::string>& formats)
    : RunOutput(GoesOn{}, folder, scene, simulation, formats) {
  goes_on_ = false;
  for (const char* file : {"summary.json", "report.html"}) remove_file(folder_ / file);  // of an earlier run
  for (size_t i = 0; i < formats_.size(); ++i) writers_.push_back(writer(i));
}

std::unique_ptr<FrameWriter> RunOutput::writer(size_t format) const {
  const FrameFormatEntry& row = find_row(frame_formats(), "frame format", formats_[format]);
  return row.make(folder_ / folders_[format], topology(simulation_));
}

void RunOutput::on_step(const StepRecord& r) {
  csv_.write(r);
  if (probe_) probe_->write(r);
  if (bodies_) bodies_->write(r);
  if (reactions_) reactions_->write(r, simulation_);
  if (contacts_) contacts_->write(r);
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
  if (liveliness_)  // the nodes are others now
    liveliness_.emplace(folder_ / fmt::format("liveliness-cut{}.csv", cuts_), simulation_.adaptive_nodes);
  recorder_.on_cut(simulation_);
  if (goes_on_) return;
  const BodyTopology body = topology(simulation_);
  for (size_t i = 0; i < writers_.size(); ++i) {
    if (writers_[i]->set_topology(body)) continue;
    writers_[i]->finish();
    folders_[i] = fmt::format("{}-cut{}", formats_[i], cuts_);
    writers_[i] = writer(i);
  }
}

void RunOutput::archive_page(Archive& archive) {
  archive(recorder_);
  if (liveliness_) liveliness_->archive_rows(archive);
}

void RunOutput::archive(Archive& archive) {
  archive_page(archive);
  archive(csv_);
  if (probe_) archive(*probe_);
  if (bodies_) archive(*bodies_);
  if (reactions_) archive(*reactions_);
  if (contacts_) archive(*contacts_);
  if (liveliness_) liveliness_->archive_file(archive);
  archive(folders_);
  for (size_t i = 0; i < formats_.size(); ++i) {
    if (archive.loading()) writers_.push_back(writer(i));
    ResumableFrames* frames = writers_[i]->resumable();
    if (!frames && archive.loading())
      throw Error("frames of the format \"{}\" cannot be continued by another process", formats_[i]);
    if (frames) frames->archive(archive);
  }
  if (!archive.loading()) return;
  goes_on_ = false;
  for (const std::string& name : folders_) remove_leftovers(folder_ / name, [](const std::string&) { return true; });
  for (const char* file : {"summary.json", "report.html"}) remove_file(folder_ / file);  // of a shorter run
}

void RunOutput::write_page(const RunSummary& summary) const {
  write_report(report_path(), {scene_.name,
                               scene_.description,
                               up_direction(scene_),
                               {{.name = summary.integrator,
                                 .summary = summary,
                                 .recording = recorder_.recording(),
                                 .series = recorder_.series(),
                                 .liveliness = liveliness_ ? &*liveliness_ : nullptr,
                                 .bodies = &recorder_.bodies()}}});
}

RunSummary RunOutput::finish(const RunResult& result) {
  for (const auto& writer : writers_) writer->finish();
  RunSummary summary = summarize(simulation_, result);
  summary.bodies = summarize_bodies(simulation_, recorder_.bodies());
  write_whole_file(folder_ / "summary.json", [&](OutputFile& file) { file.write(to_json(summary).dump(2) + "\n"); });
  write_page(summary);
  return summary;
}

}  // namespace brio
