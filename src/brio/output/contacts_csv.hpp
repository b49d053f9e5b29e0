#pragma once
// contacts.csv: how many pairs of surfaces push each other after each step, how near they are, and what it took, of a
// scene with "contact".

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class ContactsCsv {
 public:
  explicit ContactsCsv(const std::filesystem::path& path);
  void write(const StepRecord& record);
  void archive(Archive& archive) { file_.archive(archive); }

 private:
  CsvFile file_;
};

}  // namespace brio
