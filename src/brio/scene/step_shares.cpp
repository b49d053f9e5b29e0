#include "brio/scene/step_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

/// Elements turn over and back in any violent motion, and some bodies begin crumpled. Those that stay so have
/// collapsed.
constexpr std::string_view kInvertedName = "inverted";
constexpr Remark kInvertedSteps{"with inverted elements"};
constexpr Remark kInverted{"of the elements inverted at the end", 0.02,
                           "a smaller step, a finer mesh or a stiffer material"};

std::string percent(double share) {
  const double value = 100 * share;
  return value >= 10    ? fmt::format("{:.0f} %", value)
         : value >= 0.1 ? fmt::format("{:.1f} %", value)
                        : "less than 0.1 %";
}

template <class Keep>
std::string sentence(const std::vector<StepShare>& shares, const Keep& keep) {
  std::string text;
  bool first = true;
  for (const StepShare& share : shares) {
    if (!keep(share)) continue;
    if (!text.empty()) text += ", ";
    text += percent(share.share) + " ";
    if (first && !share.of_elements) {
      text += "of the steps ";
      first = false;
    }
    text += share.remark.said;
  }
  return text;
}

}  // namespace

void StepTally::count(std::string_view name, const Remark& remark, bool happened) {
  if (remark.said.empty()) return;
  auto place = std::find_if(counts_.begin(), counts_.end(), [&](const Count& count) { return count.name == name; });
  if (place == counts_.end()) place = counts_.insert(counts_.end(), {name, remark, 0});
  if (happened) ++place->steps;
}

void StepTally::add(const StepWork& work, double inverted) {
  ++steps_;
  inverted_ = inverted;
  for (const WorkCounter& counter : work_counters()) count(counter.name, counter.remark, work.*counter.value > 0);
  for (const auto& [extra, value] : work.extras.entries()) count(extra->name, extra->remark, value != 0);
  count(kInvertedName, kInvertedSteps, inverted > 0);
}

void StepTally::archive(Archive& archive) {
  archive(steps_, inverted_);
  std::vector<std::string> names;
  std::vector<int> steps;
  for (const Count& count : counts_) {
    names.emplace_back(count.name);
    steps.push_back(count.steps);
  }
  archive(names, steps);
  if (!archive.loading()) return;
  counts_.clear();
  for (size_t i = 0; i < names.size(); ++i) {
    Count count{kInvertedName, kInvertedSteps, steps[i]};
    if (const Extra* extra = find_declared_extra(names[i])) count = {extra->name, extra->remark, steps[i]};
    for (const WorkCounter& counter : work_counters())
      if (counter.name == names[i]) count = {counter.name, counter.remark, steps[i]};
    counts_.push_back(count);
  }
}

std::vector<StepShare> StepTally::shares() const {
  std::vector<StepShare> found;
  for (const Count& count : counts_)
    if (count.steps > 0)
      found.push_back({std::string(count.name), count.remark, static_cast<double>(count.steps) / steps_});
  if (inverted_ > 0) found.push_back({"inverted_at_end", kInverted, inverted_, true});
  return found;
}

std::string remarks(const std::vector<StepShare>& shares) {
  return sentence(shares, [](const StepShare&) { return true; });
}

std::string doubts(const std::vector<StepShare>& shares) {
  std::string text = sentence(shares, [](const StepShare& share) { return share.doubtful(); });
  std::string separator = ". Try ";
  for (const StepShare& share : shares) {
    if (!share.doubtful() || share.remark.remedy.empty()) continue;
    text += separator + std::string(share.remark.remedy);
    separator = "; ";
  }
  return text;
}

}  // namespace brio
