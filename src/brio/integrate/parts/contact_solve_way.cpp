// How far an iteration of contact may go. Points with coordinates of their own go on straight lines, each as far as it
// may; the points of bones go on arcs, and all bones as far as the one that may go least.

#include "brio/integrate/parts/contact_solve.hpp"

#include <algorithm>

namespace brio {

void ContactSolve::take_direction(double share, double share_of_bones) {
  way_ = share * (goal_ - trial_);  // of what is led
  for (int p = 0; p < contacts_of_.own_points(); ++p)
    way_.segment<3>(3 * contacts_of_.vertex_of(p)) = share * step_.direction().segment<3>(3 * p);
  if (carried_.empty()) return;
  ahead_q_ = trial_q_;
  ahead_q_.tail(joints_) += share_of_bones * step_.direction().tail(joints_);
  contacts_of_.stack_positions(end_, ahead_q_, placed_);
  for (int v : carried_) way_.segment<3>(3 * v) = placed_.segment<3>(3 * v) - trial_.segment<3>(3 * v);
}

int ContactSolve::find_safe_way() {
  constexpr int kGentlePasses = 12;  // then bones, or all, stay where they are
  double share = 1;
  for (int pass = 0;; ++pass) {
    take_direction(1, share);
    look_along(trial_, trial_ + way_);
    if (!surface_.guarantee()) return 0;
    int held = safe_.shorten(*pairs_, distances_, trial_, way_);
    common_ = safe_.common();
    // Pairs of one body are looked for in boxes that move with it. What is held back leaves them, and may meet more.
    for (int again = 0, before = -1; held > 0 && before != potential_.near().searches(); ++again) {
      before = potential_.near().searches();
      if (again == kGentlePasses) way_.setZero();
      look_along(trial_, trial_ + way_);
      if (before != potential_.near().searches()) held += safe_.shorten(*pairs_, distances_, trial_, way_);
    }
    if (carried_.empty() || held == 0) return share < 1 ? std::max(held, 1) : held;
    double least = 1;
    for (int v : carried_) least = std::min(least, safe_.share()[v]);
    if (least == 1 || share == 0) return held;
    share = pass < kGentlePasses ? share * least : 0;
  }
}

bool ContactSolve::is_safe() {
  if (carried_.empty() || !surface_.guarantee()) return true;
  pairs_ = &potential_.near().along(trial_, trial_ + way_);
  potential_.find(trial_, ahead_, ahead_distances_);
  if (safe_.shorten(*pairs_, ahead_distances_, trial_, way_) == 0) return true;
  potential_.find(x_, ahead_, distances_);  // what comes next begins there, with the pairs that were found now
  return false;
}

}  // namespace brio
