#pragma once
// Energy and momentum against time, thinned so that a run of any length stays small and no peak is lost.

#include "brio/core/types.hpp"
#include "brio/output/thinned_rows.hpp"

#include <string>
#include <vector>

namespace brio {

/// Energies and momenta after one step.
struct SeriesRow {
  double time = 0;                                            ///< [s]
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;  ///< [J]
  double injected = 0;                                        ///< put in by loads and scripts so far [J]
  double dissipated = 0;                                      ///< taken out by damping so far [J]
  Vec3 linear_momentum = Vec3::Zero();                        ///< [kg m/s]
  Vec3 angular_momentum = Vec3::Zero();                       ///< about the origin [kg m^2/s]
  std::vector<double> extras = {};                            ///< of the method; not a number where there is none
};

class Series {
 public:
  using Row = std::vector<double>;  ///< one number for each of the columns

  /// Keeps at most `most` rows (a multiple of four). `extras`: names of columns for what the method adds.
  explicit Series(int most = 5000, const std::vector<std::string>& extras = {});
  /// Names of the columns. "expected" is the total of the first row + injected - dissipated.
  const std::vector<std::string>& columns() const { return columns_; }
  void add(const SeriesRow& row);
  std::vector<Row> rows() const { return thinned_.rows(); }
  void archive(Archive& archive) { archive(initial_total_, thinned_); }

 private:
  std::vector<std::string> columns_ = {"time",     "kinetic",  "elastic",    "gravity",   "contact",
                                       "total",    "injected", "dissipated", "expected",  "linear_x",
                                       "linear_y", "linear_z", "angular_x",  "angular_y", "angular_z"};
  double initial_total_ = 0;  ///< [J]
  ThinnedRows<Row> thinned_;
};

}  // namespace brio
