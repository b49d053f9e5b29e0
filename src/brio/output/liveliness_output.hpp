#pragma once
// States of adaptive nodes: liveliness.csv, flushed after each step, and the same for the report page.

#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class LivelinessOutput {
 public:
  /// `nodes`: the adaptive nodes.
  LivelinessOutput(const std::filesystem::path& path, const std::vector<int>& nodes);
  void write(const StepRecord& record);
  /// For the page: thinned to about what a chart can show.
  Json to_json() const;

 private:
  OutputFile file_;
  std::vector<int> nodes_;
  std::vector<double> time_, dynamic_;
  std::vector<std::vector<double>> rate_;  ///< per node [1/s]
};

}  // namespace brio
