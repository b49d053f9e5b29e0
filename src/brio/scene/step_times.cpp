#include "brio/scene/step_times.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr double kShortest = 1e-7;  // [ms]
constexpr int kPerOctave = 64, kOctaves = 60;

}  // namespace

void StepTimes::add(double ms) {
  if (counts_.empty()) counts_.resize(static_cast<size_t>(kPerOctave) * kOctaves);
  const double place = kPerOctave * std::log2(std::max(ms, kShortest) / kShortest);
  ++counts_[std::min(static_cast<size_t>(place), counts_.size() - 1)];
  ++count_;
  sum_ += ms;
  largest_ = std::max(largest_, ms);
}

double StepTimes::quantile(double q) const {
  auto left = static_cast<std::int64_t>(q * static_cast<double>(count_ - 1));
  if (count_ == 0) return 0;
  if (left >= count_ - 1) return largest_;
  size_t place = 0;
  while (left >= counts_[place]) left -= counts_[place++];
  return std::min(largest_, kShortest * std::exp2((static_cast<double>(place) + 0.5) / kPerOctave));
}

}  // namespace brio
