#include "brio/output/reactions_csv.hpp"

#include "brio/output/csv_text.hpp"

#include <fmt/format.h>

namespace brio {

ReactionsCsv::ReactionsCsv(const std::filesystem::path& path)
    : file_(path, "step,time,part,set,fx,fy,fz,mx,my,mz\n") {}

void ReactionsCsv::write(const StepRecord& record, const Simulation& simulation) {
  const std::vector<Reaction> reactions =
      simulation.reactions.measure(*simulation.system, simulation.state, simulation.h, record.report.contact_forces.get());
  std::string lines;
  for (size_t i = 0; i < reactions.size(); ++i) {
    const ReactionSource& source = simulation.reactions.sources[i];
    const Vec3 &f = reactions[i].force, &m = reactions[i].torque;
    lines += fmt::format("{},{:.17g},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", record.step, record.time,
                         csv_text(source.path), csv_text(source.set), f[0], f[1], f[2], m[0], m[1], m[2]);
  }
  file_.write(lines);
}

}  // namespace brio
