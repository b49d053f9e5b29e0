#include "brio/output/series.hpp"

namespace brio {

void Series::add(const SeriesRow& row) {
  const double total = row.kinetic + row.elastic + row.gravity + row.contact;
  if (thinned_.empty()) initial_total_ = total;
  const Vec3 &p = row.linear_momentum, &l = row.angular_momentum;
  thinned_.add({row.time, row.kinetic, row.elastic, row.gravity, row.contact, total, row.injected, row.dissipated,
                initial_total_ + row.injected - row.dissipated, p[0], p[1], p[2], l[0], l[1], l[2], row.blend});
}

}  // namespace brio
