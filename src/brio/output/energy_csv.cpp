#include "brio/output/energy_csv.hpp"

#include "brio/output/csv_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brio {

EnergyCsv::EnergyCsv(const std::filesystem::path& path, bool several_runs)
    : file_(path), several_runs_(several_runs), curves_(declared_curves()) {
  if (several_runs) file_.write("run,");
  file_.write(
      "step,time,kinetic,elastic,gravity,contact,total,injected,dissipated,px,py,pz,lx,ly,lz,min_det_f,step_ms,"
      "solves");
  for (const Extra& curve : curves_) file_.write(fmt::format(",{}", curve.name));
  file_.write("\n");
}

void EnergyCsv::write(const StepRecord& r, const std::string& run) {
  if (several_runs_) file_.write(csv_text(run) + ",");
  const Vec3 &p = r.momentum.linear, &l = r.momentum.angular;
  // A spring net has no determinant; its column stays empty, which tables read as "missing".
  const std::string determinant = std::isnan(r.min_det_f) ? "" : fmt::format("{:.17g}", r.min_det_f);
  file_.write(fmt::format(
      "{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},"
      "{:.17g},{:.17g},{:.17g},{},{:.4f},{}",
      r.step, r.time, r.kinetic, r.potentials.elastic, r.potentials.gravity, r.potentials.contact, r.total(),
      r.injected, r.dissipated, p[0], p[1], p[2], l[0], l[1], l[2], determinant, r.step_ms, r.report.solves));
  for (const Extra& curve : curves_) {
    const std::optional<double> value = r.report.extras.find(curve.name);
    file_.write(value ? fmt::format(",{:.6g}", *value) : ",");
  }
  file_.write("\n");
  file_.flush();
}

}  // namespace brio
