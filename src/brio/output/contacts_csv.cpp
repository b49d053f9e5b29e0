#include "brio/output/contacts_csv.hpp"

#include "brio/integrate/parts/body_contact.hpp"

#include <fmt/format.h>

namespace brio {

ContactsCsv::ContactsCsv(const std::filesystem::path& path)
    : file_(path, "step,time,contacts,smallest_gap,largest_force,iterations,pieces,held_back\n") {}

void ContactsCsv::write(const StepRecord& record) {
  const StepReport& report = record.report;
  // Where nothing touches there is no gap to tell; the column stays empty, which tables read as "missing".
  const std::string gap = report.contacts > 0 ? fmt::format("{:.6g}", report.smallest_gap) : "";
  file_.write(fmt::format("{},{:.17g},{},{},{:.6g},{},{},{}\n", record.step, record.time, report.contacts, gap,
                          report.largest_contact_force, report.extras[kContactIterations],
                          report.extras[kContactPieces], report.extras[kHeldBack]));
}

}  // namespace brio
