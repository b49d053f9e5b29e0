#pragma once
// How thick a body, and how wide the gap outside, is at points spread over its surface: what decides how small cells
// must be there.

#include "brio/mesh/solids/signed_distance.hpp"

#include <vector>

namespace brio {

struct ThicknessSample {
  Vec3 place;        ///< on the surface [m]
  Vec3 inward;       ///< unit vector
  double thickness;  ///< to the wall across, through the body; infinite where none is met within reach [m]
  double gap;        ///< to the wall across, outside [m]
};

/// About one sample for every square of that spacing. Rays are followed as far as `reach` [m]; a wall counts where it
/// faces the sample, so that the two sides of an edge or a corner are not taken for a thin limb.
std::vector<ThicknessSample> sample_thickness(const SignedDistance& body, double spacing, double reach);

/// By central differences of step `e` [m].
Vec3 distance_gradient(const SignedDistance& body, const Vec3& x, double e);

}  // namespace brio
