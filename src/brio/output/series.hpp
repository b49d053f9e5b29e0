#pragma once
// Energy and momentum against time, thinned so that a run of any length stays small and no peak is lost.

#include "brio/core/types.hpp"
#include "brio/output/thinned_rows.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace brio {

/// Energies and momenta after one step.
struct SeriesRow {
  double time = 0;                                            ///< [s]
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;  ///< [J]
  double injected = 0;                                        ///< put in by loads and scripts so far [J]
  double dissipated = 0;                                      ///< taken out by damping so far [J]
  Vec3 linear_momentum = Vec3::Zero();                        ///< [kg m/s]
  Vec3 angular_momentum = Vec3::Zero();                       ///< about the origin [kg m^2/s]
  double blend = std::numeric_limits<double>::quiet_NaN();    ///< StepReport::blend; not a number where there is none
};

class Series {
 public:
  /// Names of the columns. "expected" is the total of the first row + injected - dissipated.
  static constexpr std::array<std::string_view, 16> columns{
      "time",     "kinetic",  "elastic",  "gravity",  "contact",   "total",     "injected",  "dissipated",
      "expected", "linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z", "blend"};
  using Row = std::array<double, columns.size()>;

  /// Keeps at most `most` rows (a multiple of four).
  explicit Series(int most = 5000) : thinned_(most) {}
  void add(const SeriesRow& row);
  std::vector<Row> rows() const { return thinned_.rows(); }

 private:
  double initial_total_ = 0;  ///< [J]
  ThinnedRows<Row> thinned_;
};

}  // namespace brio
