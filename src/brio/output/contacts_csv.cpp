#include "brio/output/contacts_csv.hpp"

#include "brio/integrate/contact_forces.hpp"
#include "brio/integrate/parts/body_contact.hpp"
#include "brio/output/csv_text.hpp"
#include "brio/scene/contact.hpp"

#include <fmt/format.h>

namespace brio {

ContactsCsv::ContactsCsv(const std::filesystem::path& folder, const Simulation& simulation)
    : file_(folder / "contacts.csv", "step,time,contacts,smallest_gap,largest_force,iterations,pieces,held_back\n"),
      pairs_(folder / "contact_pairs.csv",
             "step,time,first,second,contacts,smallest_gap,normal_force,friction_force,force_x,force_y,force_z\n"),
      names_(names_of_touching(simulation)) {}

void ContactsCsv::write(const StepRecord& record) {
  const StepReport& report = record.report;
  // Where nothing touches there is no gap to tell; the column stays empty, which tables read as "missing".
  const std::string gap = report.contacts > 0 ? fmt::format("{:.6g}", report.smallest_gap) : "";
  file_.write(fmt::format("{},{:.17g},{},{},{:.6g},{},{},{}\n", record.step, record.time, report.contacts, gap,
                          report.largest_contact_force, report.extras[kContactIterations],
                          report.extras[kContactPieces], report.extras[kHeldBack]));
  if (!report.contact_forces) return;
  std::string rows;
  for (const ContactForces::Pair& pair : report.contact_forces->pairs)
    rows += fmt::format("{},{:.17g},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", record.step, record.time,
                        csv_text(names_[pair.first]), csv_text(names_[pair.second]), pair.contacts, pair.smallest_gap,
                        pair.normal, pair.friction, pair.force[0], pair.force[1], pair.force[2]);
  if (!rows.empty()) pairs_.write(rows);
}

}  // namespace brio
