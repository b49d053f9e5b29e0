#pragma once
// bodies.csv: energy, momentum and center of each body after each step, one line a body, of a scene with "bodies".

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class BodiesCsv {
 public:
  BodiesCsv(const std::filesystem::path& path, std::vector<std::string> names);
  void write(const StepRecord& record);
  void archive(Archive& archive) { file_.archive(archive); }

 private:
  CsvFile file_;
  std::vector<std::string> names_;
};

}  // namespace brio
