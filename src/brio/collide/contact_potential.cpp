#include "brio/collide/contact_potential.hpp"

#include "brio/collide/barrier.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>

namespace brio {
namespace {

Corners corners_at(const VectorXd& x, const std::array<int, 4>& vertex) {
  Corners corners;
  for (int i = 0; i < 4; ++i) corners[i] = x.segment<3>(3 * vertex[i]);
  return corners;
}

/// Fades out the energy of edges that are nearly parallel, whose nearest points jump (Li et al. 2020, equation 24).
struct Fading {
  double value = 1, slope = 0;

  Fading(double cross, double full) {
    if (cross >= full) return;
    const double s = cross / full;
    value = s * (2 - s);
    slope = 2 * (1 - s) / full;
  }
};

}  // namespace

bool find_contact(const ContactPair& pair, const Corners& x, ActiveContact& contact, double& distance) {
  const ClosestPoints closest = closest_points(pair.kind, x);
  distance = closest.distance();
  const ContactLaw& law = pair.law;
  const double gap = distance - law.thickness;
  if (!(gap < law.range) || !(distance > 0) || !(gap > 0 || law.least > 0)) return false;
  const double felt = std::max(gap, law.least);
  Barrier barrier(felt, law.range, law.stiffness * pair.area);
  barrier.value += barrier.slope * (gap - felt);
  Fading fading(1, 1);
  Corners turned;
  if (pair.kind == PairKind::edge_edge) {
    constexpr double kNearlyParallel = 1e-3;
    fading = Fading(edge_cross(x, turned), kNearlyParallel * pair.cross_at_rest);
    if (fading.value <= 0) return false;
  }
  contact.key = {static_cast<int>(pair.kind), pair.vertex[0], pair.vertex[1], pair.vertex[2], pair.vertex[3]};
  contact.vertex = pair.vertex;
  contact.weight = closest.weight;
  contact.normal = closest.r / distance;
  contact.gap = gap;
  contact.energy = fading.value * barrier.value;
  contact.force = -fading.value * barrier.slope;
  contact.stiffness = fading.value * barrier.second;
  contact.friction = law.friction;
  contact.static_friction = law.static_friction;
  contact.carried.setZero();
  for (int i = 0; i < 4; ++i) {
    contact.gradient[i] = -contact.force * closest.weight[i] * contact.normal;
    if (fading.slope != 0) contact.gradient[i] += fading.slope * barrier.value * turned[i];
  }
  return true;
}

void ContactPotential::find(const VectorXd& x, std::vector<ActiveContact>& contacts, std::vector<double>& distances) {
  contacts.clear();
  constexpr int kPairsPerTask = 256;
  const std::vector<ContactPair>& pairs = near_.pairs();
  const int n = static_cast<int>(pairs.size());
  distances.resize(n);
  bool known = known_search_ == near_.searches() && known_x_.size() == x.size();
  const auto find_all = [&] {
    const detail::Chunks chunks(n, kPairsPerTask);
    if (static_cast<int>(found_.size()) < chunks.count) found_.resize(chunks.count);
    parallel_for(n, kPairsPerTask, [&](int begin, int end) {
      std::vector<ActiveContact>& mine = found_[begin / chunks.length];
      mine.clear();
      ActiveContact contact;
      for (int i = begin; i < end; ++i) {
        const std::array<int, 4>& v = pairs[i].vertex;
        if (known) {
          const bool edges = pairs[i].kind == PairKind::edge_edge;
          const double one = edges ? std::max(moved_[v[0]], moved_[v[1]]) : moved_[v[0]];
          const double other = std::max({edges ? 0 : moved_[v[1]], moved_[v[2]], moved_[v[3]]});
          distances[i] = known_[i] - one - other;
          if (distances[i] >= pairs[i].reach()) continue;
        }
        if (find_contact(pairs[i], corners_at(x, v), contact, distances[i])) mine.push_back(contact);
      }
    });
    for (int c = 0; c < chunks.count; ++c) contacts.insert(contacts.end(), found_[c].begin(), found_[c].end());
  };
  if (known) {
    moved_.resize(x.size() / 3);
    for (Index v = 0; v < moved_.size(); ++v) moved_[v] = (x.segment<3>(3 * v) - known_x_.segment<3>(3 * v)).norm();
    constexpr double kFar = 0.25;  // of the longest reach: then little can be known without a new look
    known = n == 0 || moved_.maxCoeff() < kFar * near_.longest_reach();
  }
  find_all();
  if (known) return;
  known_search_ = near_.searches();
  known_x_ = x;
  known_ = distances;
}

}  // namespace brio
