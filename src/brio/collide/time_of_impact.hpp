#pragma once
// Conservative continuous collision detection by additive advancement (Li, Kaufman and Jiang 2021, section 5): a pair
// is moved by what its distance allows at most, again and again. Only distances are computed, so that no root of a
// cubic can be missed to round-off.

#include "brio/collide/closest_points.hpp"

namespace brio {

/// A share of the way from x to x + way, vertices on straight lines, on which the distance of the pair stays above
/// `kept` [m]; 1 where it does so to the end. `kept` must be less than the distance at x.
/// `at_least`: something that the distance at x is not less than; it saves time where it is enough.
double time_of_impact(PairKind kind, const Corners& x, const Corners& way, double at_least, double kept);

}  // namespace brio
