#include "brio/output/liveliness_output.hpp"

#include "brio/core/json.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/output/page.hpp"

#include <fmt/format.h>

namespace brio {

LivelinessOutput::LivelinessOutput(const std::filesystem::path& path, const std::vector<int>& nodes)
    : file_(path), nodes_(nodes), rate_(nodes.size()) {
  file_.write("step,time,dynamic_nodes");
  for (int vertex : nodes) file_.write(fmt::format(",vertex_{}", vertex));
  file_.write("\n");
}

void LivelinessOutput::write(const StepRecord& r) {
  if (r.report.liveliness.size() != nodes_.size()) return;  // the start
  const double dynamic = r.report.extras[kDynamicNodes];
  file_.write(fmt::format("{},{:.17g},{}", r.step, r.time, dynamic));
  for (size_t i = 0; i < nodes_.size(); ++i) {
    file_.write(fmt::format(",{:.17g}", r.report.liveliness[i]));
    rate_[i].push_back(r.report.liveliness[i]);
  }
  file_.write("\n");
  file_.flush();
  time_.push_back(r.time);
  dynamic_.push_back(dynamic);
}

Json LivelinessOutput::to_json() const {
  constexpr size_t kMostPoints = 4000;
  const size_t stride = 1 + time_.size() / kMostPoints;
  const auto thinned = [&](const std::vector<double>& values) {
    std::vector<double> kept;
    for (size_t i = 0; i < values.size(); i += stride) kept.push_back(values[i]);
    return encode(kept.data(), kept.size());
  };
  Json json = {{"time", thinned(time_)}, {"dynamic", thinned(dynamic_)}, {"nodes", nodes_}};
  auto& rates = json["rates"] = Json::array();
  for (const std::vector<double>& rate : rate_) rates.push_back(thinned(rate));
  return json;
}

}  // namespace brio
