#pragma once
// States of adaptive nodes: liveliness.csv, flushed after each step, and the same for the report page.

#include "brio/core/json.hpp"
#include "brio/output/csv_file.hpp"
#include "brio/output/thinned_rows.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class LivelinessOutput {
 public:
  /// `nodes`: the adaptive nodes.
  LivelinessOutput(const std::filesystem::path& path, const std::vector<int>& nodes);
  void write(const StepRecord& record);
  /// For the page: thinned to about what a chart can show.
  Json to_json() const;
  void archive_file(Archive& archive) { archive(file_); }
  void archive_rows(Archive& archive) { archive(rows_); }

 private:
  static constexpr int kMostRows = 4000;

  CsvFile file_;
  std::vector<int> nodes_;
  ThinnedRows<std::vector<double>> rows_{kMostRows};  ///< time, count of dynamic nodes, rate of each node [1/s]
};

}  // namespace brio
