#pragma once
// The oscillator of brio/system, under the name that the tests know, and one whose other end moves.

#include "brio/energy/motion.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/system/nodal_system.hpp"
#include "brio/system/oscillator.hpp"

namespace brio::testing {

using brio::oscillator;

/// A vertex on a soft attachment whose other end swings: q'' = omega^2 (p(t) - q), omega = 10 rad/s.
inline NodalSystem oscillator_on_a_swing() {
  NodalParts parts;
  parts.x0 = MatrixX3d::Zero(1, 3);
  parts.vertex_mass = VectorXd::Constant(1, 1);
  const MotionEntry& row = find_row(motions(), "motion", "oscillate");
  std::shared_ptr<const Motion> swing =
      row.make(Options(row.options, {{"amplitude", Vec3(0.1, 0, 0)}, {"frequency", 2.0}}, "oscillate"), "oscillate");
  parts.energies.push_back(std::make_unique<AttachmentEnergy>(std::vector<int>{0}, parts.x0, 100, swing));
  return NodalSystem(std::move(parts));
}

}  // namespace brio::testing
