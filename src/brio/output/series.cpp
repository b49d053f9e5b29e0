#include "brio/output/series.hpp"

#include <limits>

namespace brio {

Series::Series(int most, const std::vector<std::string>& extras) : thinned_(most) {
  columns_.insert(columns_.end(), extras.begin(), extras.end());
}

void Series::add(const SeriesRow& row) {
  const double total = row.kinetic + row.elastic + row.gravity + row.contact;
  if (thinned_.empty()) initial_total_ = total;
  const Vec3 &p = row.linear_momentum, &l = row.angular_momentum;
  Row added = {row.time,     row.kinetic,    row.elastic,
               row.gravity,  row.contact,    total,
               row.injected, row.dissipated, initial_total_ + row.injected - row.dissipated,
               p[0],         p[1],           p[2],
               l[0],         l[1],           l[2]};
  added.insert(added.end(), row.extras.begin(), row.extras.end());
  added.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  thinned_.add(added);
}

}  // namespace brio
