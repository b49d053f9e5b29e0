#include "brio/experiment/compare/compare_output.hpp"

#include "brio/core/json.hpp"
#include "brio/output/csv_text.hpp"
#include "brio/output/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace brio {
namespace {

Json compared_run_json(const ComparedRun& run) {
  Json json = {{"label", run.plan->label}};
  json.update(to_json(run.summary));
  add_to(json, run.metrics);
  return json;
}

std::string csv_number(const std::optional<double>& value) { return value ? fmt::format("{:.10g}", *value) : ""; }

/// The cells of a run with their headings.
std::vector<std::pair<std::string, std::string>> csv_cells(const ComparedRun& run) {
  const RunSummary& s = run.summary;
  std::vector<std::pair<std::string, std::string>> cells = {{"label", csv_text(run.plan->label)},
                                                            {"integrator", s.integrator},
                                                            {"h", csv_number(s.h)},
                                                            {"steps", fmt::format("{}", s.steps)},
                                                            {"status", s.status}};
  for (const auto& [name, value] : run.metrics.named()) cells.emplace_back(name, csv_number(value));
  cells.emplace_back("step_ms_median", csv_number(s.step_ms_median));
  cells.emplace_back("step_ms_p95", csv_number(s.step_ms_p95));
  for (const char* phase : {"assembly", "factor", "solve", "other", "bookkeeping"}) {
    std::string ms;
    for (const auto& [name, value] : s.phase_ms)
      if (name == phase) ms = csv_number(value);
    cells.emplace_back(fmt::format("{}_ms", phase), ms);
  }
  const Json work = to_json(s.work);
  for (const auto& [name, value] : work.items())
    cells.emplace_back(name, value.is_string()           ? csv_text(value.get<std::string>())
                             : value.is_number_integer() ? value.dump()
                                                         : csv_number(value.get<double>()));
  cells.emplace_back("energy_initial", csv_number(s.initial_energy));
  cells.emplace_back("energy_final", csv_number(s.final_energy));
  cells.emplace_back("energy_max", csv_number(s.max_energy));
  cells.emplace_back("message", csv_text(s.message));
  return cells;
}

/// Whether the line, which begins with the label of a run and the number of a step, is of one of the steps to keep.
bool is_kept(const std::string& line, const std::map<std::string, int>& kept) {
  for (const auto& [label, step] : kept) {
    const std::string begin = csv_text(label) + ",";
    if (line.starts_with(begin)) return std::strtol(line.c_str() + begin.size(), nullptr, 10) <= step;
  }
  return false;
}

std::string axis_name(int axis) { return std::string(1, "xyz"[axis]); }

}  // namespace

CompareOutput::CompareOutput(std::filesystem::path folder, const std::map<std::string, int>& kept)
    : folder_(create_folder(std::move(folder))), series_(folder_ / "compare_series.csv", true) {
  if (!kept.empty()) series_.keep([&](const std::string& line) { return is_kept(line, kept); });
}

void CompareOutput::write(const ComparePlan& plan, const Comparison& comparison) const {
  write_json(plan, comparison);
  write_csv(comparison);
  write_page(plan, comparison);
}

void CompareOutput::write_json(const ComparePlan& plan, const Comparison& comparison) const {
  const Scene& scene = plan.runs.front().scene;
  Json json = {{"scene", scene.name},
               {"file", scene.file.string()},
               {"duration", scene.h * scene.steps},
               {"output_interval", scene.h * scene.output.every},
               {"probe", comparison.probe},
               {"probe_axis", axis_name(comparison.axis)},
               {"interrupted", comparison.interrupted},
               {"reference", nullptr},
               {"runs", Json::array()}};
  if (comparison.reference) json["reference"] = compared_run_json(*comparison.reference);
  for (const ComparedRun& run : comparison.runs) json["runs"].push_back(compared_run_json(run));
  const std::string text = json.dump(2);
  write_whole_file(folder_ / "compare.json", [&](OutputFile& file) { file.write(text + "\n"); });
}

void CompareOutput::write_csv(const Comparison& comparison) const {
  write_whole_file(folder_ / "compare.csv", [&](OutputFile& file) {
    for (const ComparedRun& run : comparison.runs) {
      std::string head, row;
      for (const auto& [name, value] : csv_cells(run)) {
        head += (head.empty() ? "" : ",") + name;
        row += (row.empty() ? "" : ",") + value;
      }
      if (&run == &comparison.runs.front()) file.write(head + "\n");
      file.write(row + "\n");
    }
  });
}

void CompareOutput::write_page(const ComparePlan& plan, const Comparison& comparison) const {
  const Scene& scene = plan.runs.front().scene;
  Report report{scene.name, scene.description, up_direction(scene), {}, {}};
  if (!comparison.probe.empty()) report.probe = fmt::format("{}, {}", comparison.probe, axis_name(comparison.axis));
  const auto add = [&](const ComparedRun& run, bool is_reference) {
    report.runs.push_back({run.plan->label, run.summary, run.recorder.recording(), run.recorder.series(),
                           ReportedMetrics{run.metrics, run.probe.along(comparison.axis), is_reference}});
    report.runs.back().bodies = &run.recorder.bodies();
  };
  for (size_t i = 0; i < std::min(plan.shown_runs, comparison.runs.size()); ++i) add(comparison.runs[i], false);
  if (comparison.reference) add(*comparison.reference, true);
  write_report(folder_ / "compare.html", report);
}

}  // namespace brio
