#pragma once
// Energy of each body against time, for pages.

#include "brio/core/json.hpp"
#include "brio/output/thinned_rows.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class BodySeries {
 public:
  /// `bodies` is 0 in a scene without "bodies".
  explicit BodySeries(size_t bodies = 0);

  void add(const StepRecord& record);
  size_t bodies() const { return bodies_; }
  double initial_energy(size_t body) const { return initial_[body]; }  ///< total [J]
  double final_energy(size_t body) const { return final_[body]; }      ///< total [J]

  /// "time", and the lists "total" and "kinetic" with a curve for each body; numbers as base64.
  Json to_json() const;
  void archive(Archive& archive) { archive(initial_, final_, thinned_); }

 private:
  size_t bodies_;
  std::vector<double> initial_, final_;
  ThinnedRows<std::vector<double>> thinned_;  ///< time; total, kinetic of each body
};

}  // namespace brio
