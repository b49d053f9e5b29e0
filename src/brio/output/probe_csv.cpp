#include "brio/output/probe_csv.hpp"

#include <fmt/format.h>

namespace brio {

ProbeCsv::ProbeCsv(const std::filesystem::path& path) : file_(path, "step,time,x,y,z\n") {}

void ProbeCsv::write(const StepRecord& r) {
  file_.write(fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g}\n", r.step, r.time, r.probe[0], r.probe[1], r.probe[2]));
}

}  // namespace brio
