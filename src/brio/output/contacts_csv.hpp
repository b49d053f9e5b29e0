#pragma once
// contacts.csv: how many pairs of surfaces push each other after each step, how near they are, and what it took;
// contact_pairs.csv: which bodies and obstacles touch each other, and with which forces. Of a scene whose bodies touch.

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class ContactsCsv {
 public:
  ContactsCsv(const std::filesystem::path& folder, const Simulation& simulation);
  void write(const StepRecord& record);
  void archive(Archive& archive) {
    file_.archive(archive);
    pairs_.archive(archive);
  }

 private:
  CsvFile file_, pairs_;
  std::vector<std::string> names_;  ///< of bodies and obstacles
};

}  // namespace brio
