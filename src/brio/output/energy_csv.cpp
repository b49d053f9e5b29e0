#include "brio/output/energy_csv.hpp"

#include "brio/output/csv_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brio {
namespace {

std::string energy_head(bool several_runs, const std::vector<Extra>& curves) {
  std::string head = several_runs ? "run," : "";
  head +=
      "step,time,kinetic,elastic,gravity,contact,total,injected,dissipated,px,py,pz,lx,ly,lz,min_det_f,step_ms,"
      "solves";
  for (const Extra& curve : curves) head += fmt::format(",{}", curve.name);
  return head + "\n";
}

}  // namespace

EnergyCsv::EnergyCsv(const std::filesystem::path& path, bool several_runs)
    : several_runs_(several_runs), curves_(declared_curves()), file_(path, energy_head(several_runs, curves_)) {}

void EnergyCsv::write(const StepRecord& r, const std::string& run) {
  std::string line = several_runs_ ? csv_text(run) + "," : "";
  const Vec3 &p = r.momentum.linear, &l = r.momentum.angular;
  // A spring net has no determinant; its column stays empty, which tables read as "missing".
  const std::string determinant = std::isnan(r.min_det_f) ? "" : fmt::format("{:.17g}", r.min_det_f);
  line += fmt::format(
      "{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},"
      "{:.17g},{:.17g},{:.17g},{},{:.4f},{}",
      r.step, r.time, r.kinetic, r.potentials.elastic, r.potentials.gravity, r.potentials.contact, r.total(),
      r.injected, r.dissipated, p[0], p[1], p[2], l[0], l[1], l[2], determinant, r.step_ms, r.report.solves);
  for (const Extra& curve : curves_) {
    const std::optional<double> value = r.report.extras.find(curve.name);
    line += value ? fmt::format(",{:.6g}", *value) : ",";
  }
  file_.write(line + "\n");
}

}  // namespace brio
