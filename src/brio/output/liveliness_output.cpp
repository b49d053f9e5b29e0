#include "brio/output/liveliness_output.hpp"

#include "brio/core/json.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/output/page.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

std::string head_of(const std::vector<int>& nodes) {
  std::string head = "step,time,dynamic_nodes";
  for (int vertex : nodes) head += fmt::format(",vertex_{}", vertex);
  return head + "\n";
}

}  // namespace

LivelinessOutput::LivelinessOutput(const std::filesystem::path& path, const std::vector<int>& nodes)
    : file_(path, head_of(nodes)), nodes_(nodes) {}

void LivelinessOutput::write(const StepRecord& r) {
  if (r.report.liveliness.size() != nodes_.size()) return;  // the start
  const double dynamic = r.report.extras[kDynamicNodes];
  std::string line = fmt::format("{},{:.17g},{}", r.step, r.time, dynamic);
  for (double rate : r.report.liveliness) line += fmt::format(",{:.17g}", rate);
  file_.write(line + "\n");
  std::vector<double> row = {r.time, dynamic};
  row.insert(row.end(), r.report.liveliness.begin(), r.report.liveliness.end());
  rows_.add(std::move(row));
}

Json LivelinessOutput::to_json() const {
  const std::vector<std::vector<double>> rows = rows_.rows();
  const auto column = [&](size_t c) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows) values.push_back(row[c]);
    return encode(values.data(), values.size());
  };
  Json json = {{"time", column(0)}, {"dynamic", column(1)}, {"nodes", nodes_}};
  auto& rates = json["rates"] = Json::array();
  for (size_t i = 0; i < nodes_.size(); ++i) rates.push_back(column(2 + i));
  return json;
}

}  // namespace brio
