#pragma once
// Forces from outside that have no potential energy: pushes, pulls and wind. Their work is the "injected" energy.

#include "brio/core/table.hpp"

#include <functional>
#include <memory>

namespace brio {

class Load {
 public:
  virtual ~Load() = default;
  /// Adds the forces at time t to f; x, u, f are stacked over all vertices [m, m/s, N].
  virtual void add(double t, const VectorXd& x, const VectorXd& u, VectorXd& f) const = 0;
};

/// What a load acts on.
struct LoadTarget {
  std::vector<int> vertices;
  VectorXd mass;        ///< of all vertices [kg]
  MatrixX3i triangles;  ///< the body's surface, outward; wind blows on those whose corners are all in `vertices`
};

struct LoadEntry : Entry {
  std::function<std::unique_ptr<Load>(const Options&, const LoadTarget&)> make;
  std::function<bool(const Options&)> acts_later = {};  ///< whether it changes after the start; empty: it does not
};

/// uniform, pull, pulse, wind, pressure.
const std::vector<LoadEntry>& loads();
Table<LoadEntry>& load_table();  ///< the same, to add rows to

}  // namespace brio
