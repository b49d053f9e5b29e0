#include "brio/collide/near_pairs.hpp"

#include <algorithm>

namespace brio {

NearPairs::NearPairs(const CollisionSurface& surface)
    : surface_(surface),
      search_(surface),
      count_(surface.bodies(), 0),
      rest_(surface.bodies(), Vec3::Zero()),
      middle_(surface.bodies()) {
  for (int b = 0; b < surface.bodies(); ++b) touch_themselves_ = touch_themselves_ || surface.body(b).self;
  for (int v : surface.points()) {
    ++count_[surface.body_of(v)];
    rest_[surface.body_of(v)] += surface.rest().row(v).transpose();
  }
  for (int b = 0; b < surface.bodies(); ++b)
    if (count_[b] > 0) rest_[b] /= count_[b];
}

void NearPairs::see_from_bodies(const VectorXd& x, VectorXd& seen) {
  std::fill(middle_.begin(), middle_.end(), Vec3::Zero());
  for (int v : surface_.points()) middle_[surface_.body_of(v)] += x.segment<3>(3 * v);
  for (size_t b = 0; b < middle_.size(); ++b)
    if (count_[b] > 0) middle_[b] = middle_[b] / count_[b] - rest_[b];
  seen = x;
  for (int v : surface_.points()) seen.segment<3>(3 * v) -= middle_[surface_.body_of(v)];
}

bool NearPairs::renew(const VectorXd& x0, const VectorXd& x1, PairSearch::Bodies bodies, List& list) {
  bool inside = list.low.size() == x0.size();
  for (size_t i = 0; inside && i < surface_.points().size(); ++i) {
    const Index at = 3 * surface_.points()[i];
    for (const VectorXd* x : {&x0, &x1})
      inside = inside && (x->segment<3>(at).array() >= list.low.segment<3>(at).array()).all() &&
               (x->segment<3>(at).array() <= list.high.segment<3>(at).array()).all();
  }
  if (inside) return false;
  list.low = x0.cwiseMin(x1);
  list.high = x0.cwiseMax(x1);
  for (int v : surface_.points()) {
    const double margin = kMargin * surface_.reach(surface_.body_of(v));
    list.low.segment<3>(3 * v).array() -= margin;
    list.high.segment<3>(3 * v).array() += margin;
  }
  search_.find(list.low, list.high, bodies, list.pairs);
  return true;
}

const std::vector<ContactPair>& NearPairs::along(const VectorXd& x0, const VectorXd& x1) {
  bool renewed = surface_.bodies() > 1 && renew(x0, x1, PairSearch::Bodies::others, others_);
  if (touch_themselves_) {
    see_from_bodies(x0, seen0_);
    see_from_bodies(x1, seen1_);
    renewed = renew(seen0_, seen1_, PairSearch::Bodies::same, own_) || renewed;
  }
  if (!renewed) return *pairs_;
  ++searches_;
  if (own_.pairs.empty()) {
    pairs_ = &others_.pairs;
  } else {
    both_ = others_.pairs;
    both_.insert(both_.end(), own_.pairs.begin(), own_.pairs.end());
    pairs_ = &both_;
  }
  return *pairs_;
}

}  // namespace brio
