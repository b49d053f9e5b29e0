#include "brio/output/bodies_csv.hpp"

#include "brio/output/csv_text.hpp"

#include <fmt/format.h>

namespace brio {

BodiesCsv::BodiesCsv(const std::filesystem::path& path, std::vector<std::string> names)
    : file_(path, "step,time,body,kinetic,elastic,gravity,contact,total,px,py,pz,lx,ly,lz,x,y,z\n"),
      names_(std::move(names)) {}

void BodiesCsv::write(const StepRecord& record) {
  std::string lines;
  for (size_t b = 0; b < record.bodies.size(); ++b) {
    const BodyBudget& body = record.bodies[b];
    const Vec3 &p = body.momentum.linear, &l = body.momentum.angular, &c = body.center;
    lines += fmt::format(
        "{},{:.17g},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},"
        "{:.17g},{:.17g}\n",
        record.step, record.time, csv_text(names_[b]), body.kinetic, body.potentials.elastic, body.potentials.gravity,
        body.potentials.contact, body.total(), p[0], p[1], p[2], l[0], l[1], l[2], c[0], c[1], c[2]);
  }
  file_.write(lines);
}

}  // namespace brio
