#include "brio/experiment/compare/compare_plan.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/core/method_text.hpp"
#include "brio/scene/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

namespace brio {
namespace {

constexpr size_t kMostRuns = 24;  // more bodies than a page can show side by side

/// How often h goes into the span; throws Error unless a whole number of times.
int whole_times(double span, double h, const char* what) {
  constexpr double kRoundOff = 1e-6, kMost = 2e9;
  const double times = span / h, whole = std::round(times);
  if (whole > kMost) throw Error("h = {:g} s makes more than {:g} steps", h, kMost);
  if (whole < 1 || std::fabs(times - whole) > kRoundOff * whole)
    throw Error("h = {:g} s does not divide {} of {:g} s; every run needs the same output times", h, what, span);
  return static_cast<int>(whole);
}

/// Reads the scene with these values in the place of its own.
using ReadScene = std::function<Scene(const std::vector<std::string>& overrides)>;

class Planner {
 public:
  Planner(ReadScene read, const std::vector<std::string>& overrides)
      : read_(std::move(read)), overrides_(overrides), base_(read_(overrides)) {
    overrides_.push_back(fmt::format("steps={}", base_.steps));
  }

  /// Notes what is wrong with the entry, if anything is.
  std::optional<PlannedRun> plan(const std::string& option, const std::string& entry) {
    try {
      std::vector<std::string> overrides = overrides_, own = integrator_overrides(entry);
      overrides.insert(overrides.end(), own.begin(), own.end());
      PlannedRun run{joined(split_text(entry, ':'), " "), read_(overrides)};
      run.scene.output.every = whole_times(base_.h * base_.output.every, run.scene.h, "the output interval");
      run.scene.steps = whole_times(base_.h * base_.steps, run.scene.h, "the duration");
      return run;
    } catch (const Error& error) {
      std::istringstream lines(error.what());
      for (std::string line; std::getline(lines, line);)
        problems_ += fmt::format("{}{} {}: {}", problems_.empty() ? "" : "\n", option, entry, line);
      return {};
    }
  }

  void throw_if_any() const {
    if (!problems_.empty()) throw Error("{}", problems_);
  }

 private:
  ReadScene read_;
  std::vector<std::string> overrides_;
  Scene base_;
  std::string problems_;
};

/// Runs that are asked for twice in the same words get a number.
void number_equal_labels(std::vector<PlannedRun>& runs) {
  for (size_t i = 0; i < runs.size(); ++i) {
    int same = 1;
    for (size_t j = i + 1; j < runs.size(); ++j)
      if (runs[j].label == runs[i].label) runs[j].label += fmt::format(" ({})", ++same);
  }
}

ComparePlan plan_methods(const ReadScene& read, const std::vector<std::string>& overrides,
                         const std::string& integrators, const std::string& reference) {
  const std::vector<std::string> entries = split_text(integrators, ',');
  if (entries.size() > kMostRuns)
    throw Error("--integrators: {} methods asked for; expected at most {}", entries.size(), kMostRuns);
  Planner planner(read, overrides);
  ComparePlan plan;
  for (const std::string& entry : entries)
    if (auto run = planner.plan("--integrators", entry)) plan.runs.push_back(std::move(*run));
  number_equal_labels(plan.runs);
  if (!reference.empty()) {
    const size_t at = reference.rfind('@');
    if (at == std::string::npos)
      throw Error("--reference {}: expected a method and its step, as in rk4@1e-4 or im@0.001", reference);
    plan.reference = planner.plan("--reference", reference.substr(0, at) + ":h=" + reference.substr(at + 1));
    if (plan.reference) plan.reference->label = "reference " + reference;
  }
  planner.throw_if_any();
  return plan;
}

}  // namespace

ComparePlan plan_comparison(const std::filesystem::path& file, const SceneTables& tables,
                            const std::vector<std::string>& overrides, const std::string& integrators,
                            const std::string& reference) {
  const auto read = [&](const std::vector<std::string>& values) { return load_scene(file, tables, values); };
  return plan_methods(read, overrides, integrators, reference);
}

ComparePlan plan_comparison(const Scene& scene, const SceneTables& tables, const std::string& integrators,
                            const std::string& reference) {
  const auto read = [&](const std::vector<std::string>& values) {
    return parse_scene(scene.text, scene.file, tables, values);
  };
  return plan_methods(read, {}, integrators, reference);
}

ComparePlan plan_comparison(const std::vector<std::filesystem::path>& files, const SceneTables& tables,
                            const std::vector<std::string>& overrides, const std::string& integrators) {
  ComparePlan plan;
  for (const std::filesystem::path& file : files) {
    const std::string stem = file.stem().string();
    if (integrators.empty()) {
      plan.runs.push_back({stem, load_scene(file, tables, overrides), file.string()});
      continue;
    }
    for (PlannedRun& run : plan_comparison(file, tables, overrides, integrators).runs)
      plan.runs.push_back({fmt::format("{} {}", stem, run.label), std::move(run.scene), file.string()});
  }
  if (plan.runs.size() > kMostRuns) throw Error("{} runs asked for; expected at most {}", plan.runs.size(), kMostRuns);
  number_equal_labels(plan.runs);
  return plan;
}

}  // namespace brio
