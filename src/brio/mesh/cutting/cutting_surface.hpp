#pragma once
// Surfaces that cut a body: a plane, or a freehand path swept along a direction. A surface only answers whether it
// crosses a segment and how far it is from a point, so it may bend, end inside of the body or cross itself.

#include "brio/core/options.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace brio {

class CuttingSurface {
 public:
  virtual ~CuttingSurface() = default;
  /// Where the segment from a to b goes through the surface, as a part of the way; nothing where it does not, or where
  /// it goes through and comes back. An end on the surface counts as one side of it, always the same.
  virtual std::optional<double> crossing(const Vec3& a, const Vec3& b) const = 0;
  /// From the nearest point of the surface [m].
  virtual double distance(const Vec3& x) const = 0;
};

/// The whole plane. Throws Error for a normal without direction.
std::unique_ptr<CuttingSurface> cutting_plane(const Vec3& point, const Vec3& normal);

/// The points of a path and all that lies behind them in the direction, down to the depth [m]; without one, all that
/// lies before them as well. Throws Error for a path that runs along the direction, or has no length at all.
std::unique_ptr<CuttingSurface> cutting_path(const std::vector<Vec3>& points, const Vec3& direction,
                                             std::optional<double> depth);

struct CuttingSurfaceEntry : Entry {
  std::function<std::unique_ptr<CuttingSurface>(const Options&)> make;
};

/// plane, path.
const std::vector<CuttingSurfaceEntry>& cutting_surfaces();

}  // namespace brio
