#include "brio/output/body_series.hpp"

#include "brio/output/page.hpp"

namespace brio {
namespace {

/// As many as a chart can show, but fewer where many bodies would make the page heavy.
int most_rows(size_t bodies) {
  constexpr size_t kMost = 2000, kLeast = 200, kNumbers = 200'000;
  return static_cast<int>(std::clamp(kNumbers / (1 + 2 * bodies), kLeast, kMost) / 4 * 4);
}

}  // namespace

BodySeries::BodySeries(size_t bodies)
    : bodies_(bodies), initial_(bodies, 0), final_(bodies, 0), thinned_(most_rows(bodies)) {}

void BodySeries::add(const StepRecord& record) {
  if (bodies_ == 0) return;
  std::vector<double> row = {record.time};
  for (size_t b = 0; b < bodies_; ++b) {
    row.push_back(record.bodies[b].total());
    row.push_back(record.bodies[b].kinetic);
    final_[b] = record.bodies[b].total();
  }
  if (thinned_.empty()) initial_ = final_;
  thinned_.add(std::move(row));
}

Json BodySeries::to_json() const {
  const std::vector<std::vector<double>> rows = thinned_.rows();
  const auto column = [&](size_t c) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows) values.push_back(row[c]);
    return encode(values.data(), values.size());
  };
  Json total = Json::array(), kinetic = total;
  for (size_t b = 0; b < bodies_; ++b) {
    total.push_back(column(1 + 2 * b));
    kinetic.push_back(column(2 + 2 * b));
  }
  return {{"time", column(0)}, {"total", total}, {"kinetic", kinetic}};
}

}  // namespace brio
