#include "brio/integrate/parts/contact_space.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kMostColumns = 96, kFewestColumns = 18;
constexpr Index kLeastRoom = 4;            // directions of each piece that an iteration can add
constexpr Index kMostNumbers = 4'000'000;  // of the directions: 32 MB, and as much for their images

/// Rows b with sum b^T b = S, for S positive semi-definite; how many.
int rows_of(Mat3 S, Mat3& rows) {
  constexpr double kNothing = 1e-12;
  const double least = kNothing * S.trace();
  for (int r = 0; r < 3; ++r) {
    int k = 0;
    const double pivot = S.diagonal().maxCoeff(&k);
    if (!(pivot > least)) return r;
    rows.row(r) = S.row(k) / std::sqrt(pivot);
    S -= rows.row(r).transpose() * rows.row(r);
  }
  return 3;
}

}  // namespace

ContactSpace::ContactSpace(const System& system, Index joints)
    : system_(system), joints_(joints), base_(std::max<Index>(6, joints)) {}

/// Free and held pieces are groups of their own; where there are bones, what is held may be coupled by them.
void ContactSpace::find_groups() {
  groups_.clear();
  group_of_.assign((system_.dofs() - joints_) / 3, -1);
  slot_.assign(group_of_.size(), -1);
  const auto add = [&](const Points& points, bool free) {
    for (int p : points) group_of_[p] = static_cast<int>(groups_.size());
    groups_.emplace_back().free = free ? &points : nullptr;
  };
  const auto &free = system_.free_pieces(), &held = system_.held_pieces();
  if (free.size() + held.size() <= kMostGroups) {
    for (const Points& points : free) {
      const bool alone = std::all_of(points.begin(), points.end(), [&](int p) {
        return joints_ == 0 || motions_.leftCols(joints_).middleRows(3 * p, 3).isZero(0);
      });
      if (alone) add(points, true);
    }
    for (const Points& points : held)
      if (joints_ == 0) add(points, false);
  }
  const int rest = static_cast<int>(groups_.size());
  groups_.emplace_back();
  for (int& group : group_of_)
    if (group < 0) group = rest;
  for (size_t p = 0, begin = 0; p < group_of_.size(); begin = p) {
    while (p < group_of_.size() && group_of_[p] == group_of_[begin]) ++p;
    groups_[group_of_[begin]].runs.push_back({static_cast<Index>(3 * begin), static_cast<Index>(3 * (p - begin))});
  }
  if (joints_ > 0) groups_[rest].runs.push_back({system_.dofs() - joints_, joints_});
}

void ContactSpace::begin(const VectorXd& q, double h, Linearization& lin) {
  const Index n = q.size();
  const bool first = V_.rows() != n;
  if (first) {
    const Index columns = base_ + std::clamp<Index>(kMostNumbers / n, kFewestColumns, kMostColumns);
    V_.resize(n, columns);
    image_.resize(n, columns);
    motions_.resize(n, base_);
  }
  if (joints_ > 0) {
    motions_.setZero();
    motions_.bottomLeftCorner(joints_, joints_).setIdentity();
    lin.solve(motions_.leftCols(joints_));
  }
  if (first) find_groups();
  for (Group& group : groups_) group.begun = group.count = 0;
  if (joints_ > 0) {
    Group& rest = groups_.back();
    for (const Run& run : rest.runs) {
      V_.block(run.begin, 0, run.size, joints_) = motions_.block(run.begin, 0, run.size, joints_);
      image_.block(run.begin, 0, run.size, joints_).setZero();
    }
    image_.bottomLeftCorner(joints_, joints_).setIdentity();
    orthonormalize(rest, static_cast<int>(joints_));
  }
  find_rigid_motions(q, h, lin);
}

void ContactSpace::find_rigid_motions(const VectorXd& q, double h, Linearization& lin) {
  if (std::none_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.free; })) return;
  const auto modes = motions_.leftCols(6);
  motions_.setZero();
  for (const Group& group : groups_) {
    if (!group.free) continue;
    const Vec3 center = mean(*group.free, system_.mass(), q);
    double size = 0;
    for (int p : *group.free) size = std::max(size, (q.segment<3>(3 * p) - center).norm());
    for (int p : *group.free) {
      const Vec3 arm = size > 0 ? Vec3((q.segment<3>(3 * p) - center) / size) : Vec3::Zero();
      for (int j = 0; j < 3; ++j) {
        motions_(3 * p + j, j) = 1;
        motions_.block<3, 1>(3 * p, 3 + j) = Vec3::Unit(j).cross(arm);
      }
    }
  }
  product_.resize(q.size(), 6);
  lin.multiply_stiffness_block(modes, product_);
  product_ *= h * h;
  for (int j = 0; j < 6; ++j) product_.col(j) += system_.mass().cwiseProduct(modes.col(j));
  if (system_.has_damping()) {
    rows_.resize(q.size(), 6);
    lin.multiply_damping_block(modes, rows_);
    product_ += h * rows_;
  }
  for (Group& group : groups_) {
    if (!group.free) continue;
    for (const Run& run : group.runs) {
      V_.block(run.begin, 0, run.size, 6) = motions_.block(run.begin, 0, run.size, 6);
      image_.block(run.begin, 0, run.size, 6) = product_.middleRows(run.begin, run.size);
    }
    orthonormalize(group, 6);
  }
}

double ContactSpace::dot(const Group& group, int column, int image) const {
  double sum = 0;
  for (const Run& run : group.runs)
    sum += V_.col(column).segment(run.begin, run.size).dot(image_.col(image).segment(run.begin, run.size));
  return sum;
}

void ContactSpace::subtract_part(const Group& group, int from, int column) {
  const double part = dot(group, from, column);
  for (const Run& run : group.runs) {
    V_.col(from).segment(run.begin, run.size) -= part * V_.col(column).segment(run.begin, run.size);
    image_.col(from).segment(run.begin, run.size) -= part * image_.col(column).segment(run.begin, run.size);
  }
}

/// V^T A V = 1 for the first columns of a group, without those that the others have already: a rope cannot be turned
/// about itself, nor a point at all.
void ContactSpace::orthonormalize(Group& group, int columns) {
  constexpr double kDependent = 1e-9;
  int kept = 0;
  for (int c = 0; c < columns; ++c) {
    const double whole = dot(group, c, c);
    for (int j = 0; j < kept; ++j) subtract_part(group, c, j);
    const double left = dot(group, c, c);
    if (!(left > kDependent * whole)) continue;
    const double scale = 1 / std::sqrt(left);
    for (const Run& run : group.runs) {
      V_.col(kept).segment(run.begin, run.size) = scale * V_.col(c).segment(run.begin, run.size);
      image_.col(kept).segment(run.begin, run.size) = scale * image_.col(c).segment(run.begin, run.size);
    }
    ++kept;
  }
  group.begun = group.count = kept;
}

/// Half of the directions go, the oldest ones, where an iteration might find no room for its own.
void ContactSpace::make_room() {
  Index unknowns = 0, touching = 0, most = 0;
  for (const Group& group : groups_) {
    most = std::max<Index>(most, group.count);
    if (!group.touches) continue;
    unknowns += group.count;
    ++touching;
  }
  const Index more = std::max<Index>(kLeastRoom, std::min(room(), kMostUnknowns / std::max<Index>(1, 4 * touching)));
  if (most + more <= V_.cols() && unknowns + more * touching <= kMostUnknowns) return;
  for (Group& group : groups_) {
    const int gone = (group.count - group.begun + 1) / 2;
    for (int j = group.begun; j + gone < group.count; ++j)
      for (const Run& run : group.runs) {
        V_.col(j).segment(run.begin, run.size) = V_.col(j + gone).segment(run.begin, run.size);
        image_.col(j).segment(run.begin, run.size) = image_.col(j + gone).segment(run.begin, run.size);
      }
    group.count -= gone;
  }
}

void ContactSpace::find_coupled() {
  coupled_.clear();
  for (int p : touched_) slot_[p] = -1;
  touched_.clear();
  for (Group& group : groups_) group.touches = false;
  for (size_t t = 0; t < terms_->list.size(); ++t) {
    Coupled& coupled = coupled_.emplace_back();
    coupled.groups.fill(-1);
    coupled.term = static_cast<int>(t);
    int found = 0;
    for (int p : terms_->list[t].point) {
      if (p < 0) continue;
      if (p < terms_->motion.own && slot_[p] < 0) {
        slot_[p] = static_cast<int>(touched_.size());
        touched_.push_back(p);
      }
      const int group = group_of(p);
      groups_[group].touches = true;
      if (std::find(coupled.groups.begin(), coupled.groups.begin() + found, group) == coupled.groups.begin() + found)
        coupled.groups[found++] = group;
    }
    std::sort(coupled.groups.begin(), coupled.groups.begin() + found);
  }
  std::sort(coupled_.begin(), coupled_.end());
}

void ContactSpace::couple(const ContactTerms& terms, const VectorXd& gradient) {
  terms_ = &terms;
  gradient_ = &gradient;
  find_coupled();
  make_room();
  unknowns_.clear();
  share_.setZero(V_.cols(), groups_.size());
  index_.resize(V_.cols(), groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (int j = 0; j < group.count; ++j) {
      for (const Run& run : group.runs)
        share_(j, g) -= V_.col(j).segment(run.begin, run.size).dot(gradient.segment(run.begin, run.size));
      if (group.touches) add_unknown(static_cast<int>(g), j);
    }
  }
  there_.resize(V_.cols(), 3 * touched_.size());
  for (size_t t = 0; t < touched_.size(); ++t)
    for (int j = 0; j < groups_[group_of_[touched_[t]]].count; ++j)
      there_.block<1, 3>(j, 3 * t) = V_.col(j).segment<3>(3 * touched_[t]).transpose();
  add_all_coupled(0);
  // Joints may be more than that already: then as many directions as there is least room for.
  const Index most = std::max<Index>(kMostUnknowns, unknowns_.size() + kLeastRoom * groups_.size());
  lower_.resize(most, most);
  forward_.resize(most);
  append(0);
}

/// The rows of the factor, and of its first solution, from an unknown on.
void ContactSpace::append(Index from) {
  const Index K = static_cast<Index>(unknowns_.size()), more = K - from;
  const auto known = lower_.topLeftCorner(from, from).triangularView<Eigen::Lower>();
  for (Index i = from; i < K; ++i) forward_[i] = share_(unknowns_[i].column, unknowns_[i].group);
  if (from > 0) {
    beside_ = matrix_.topRows(from);
    known.solveInPlace(beside_);
    lower_.block(from, 0, more, from) = beside_.transpose();
    forward_.segment(from, more).noalias() -= beside_.transpose() * forward_.head(from);
    product_.noalias() = beside_.transpose() * beside_;
    llt_.compute(matrix_.bottomRows(more) - product_);
  } else {
    llt_.compute(matrix_);
  }
  lower_.block(from, from, more, more) = llt_.matrixLLT();
  auto added = forward_.segment(from, more);
  llt_.matrixL().solveInPlace(added);
}

/// Terms with the same groups add the product of a matrix with itself to the columns from `from` on.
void ContactSpace::add_coupled(size_t begin, size_t end, Index from) {
  constexpr Index kRowsAtOnce = 192;
  const std::array<int, 4>& of = coupled_[begin].groups;
  std::array<Index, 5> at{};
  place_.clear();
  wanted_.clear();
  for (int s = 0; s < 4; ++s) {
    at[s + 1] = at[s];
    if (of[s] < 0) continue;
    for (int j = 0; j < groups_[of[s]].count; ++j) {
      place_.push_back(index_(j, of[s]));
      if (place_.back() >= from) wanted_.push_back(static_cast<int>(place_.size()) - 1);
    }
    at[s + 1] = static_cast<Index>(place_.size());
  }
  if (wanted_.empty()) return;
  rows_.resize(kRowsAtOnce, at[4]);
  Index filled = 0;
  const auto flush = [&] {
    if (wanted_.size() == place_.size()) {
      product_.noalias() = rows_.topRows(filled).transpose() * rows_.topRows(filled);
    } else {
      columns_.resize(filled, wanted_.size());
      for (size_t w = 0; w < wanted_.size(); ++w) columns_.col(w) = rows_.col(wanted_[w]).head(filled);
      product_.noalias() = rows_.topRows(filled).transpose() * columns_;
    }
    for (size_t w = 0; w < wanted_.size(); ++w)
      for (size_t i = 0; i < place_.size(); ++i) matrix_(place_[i], place_[wanted_[w]] - from) += product_(i, w);
    filled = 0;
  };
  Mat3 factor;
  for (size_t c = begin; c < end; ++c) {
    const ContactTerm& term = terms_->list[coupled_[c].term];
    const int rank = rows_of(term.stiffness, factor);
    if (rank == 0) continue;
    auto rows = rows_.middleRows(filled, rank);
    rows.setZero();
    for (int i = 0; i < 4; ++i) {
      const int p = term.point[i];
      if (p < 0) continue;
      const int side = static_cast<int>(std::find(of.begin(), of.end(), group_of(p)) - of.begin());
      const Index k = at[side + 1] - at[side];
      if (p < terms_->motion.own)
        for (int r = 0; r < rank; ++r)
          rows.row(r).segment(at[side], k) +=
              (there_.block(0, 3 * slot_[p], k, 3).lazyProduct(term.weight[i] * factor.row(r).transpose())).transpose();
      else
        rows.middleCols(at[side], k).noalias() += (term.weight[i] * factor.topRows(rank) *
                                                   terms_->motion.carried.middleRows<3>(3 * (p - terms_->motion.own))) *
                                                  V_.block(V_.rows() - joints_, 0, joints_, k);
    }
    filled += rank;
    if (filled + 3 > kRowsAtOnce) flush();
  }
  if (filled > 0) flush();
}

void ContactSpace::add_all_coupled(Index from) {
  const Index K = static_cast<Index>(unknowns_.size());
  matrix_.setZero(K, K - from);
  for (Index i = from; i < K; ++i) matrix_(i, i - from) = 1;  // V^T A V
  for (size_t begin = 0, end = 0; begin < coupled_.size(); begin = end) {
    while (end < coupled_.size() && coupled_[end].groups == coupled_[begin].groups) ++end;
    add_coupled(begin, end, from);
  }
}

bool ContactSpace::add(const VectorXd& w, const VectorXd& r) {
  constexpr double kNothing = 1e-12;  // of what is added: less than this is round-off of what is there already
  Index touching = 0;
  for (const Group& group : groups_) {
    if (group.count == V_.cols()) return false;
    touching += group.touches;
  }
  const Index from = static_cast<Index>(unknowns_.size());
  if (from + touching > lower_.rows()) return false;
  const double all = r.dot(w);
  for (size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    const int added = group.count;
    for (const Run& run : group.runs) {
      V_.col(added).segment(run.begin, run.size) = w.segment(run.begin, run.size);
      image_.col(added).segment(run.begin, run.size) = r.segment(run.begin, run.size);
    }
    // At the exact minimum w is orthogonal to the others; what round-off leaves would grow from solve to solve.
    for (int j = 0; j < added; ++j) subtract_part(group, added, j);
    const double own = dot(group, added, added);
    if (!(own > kNothing * all)) continue;
    const double scale = 1 / std::sqrt(own);
    double& slope = share_(added, g);
    slope = 0;
    for (const Run& run : group.runs) {
      V_.col(added).segment(run.begin, run.size) *= scale;
      image_.col(added).segment(run.begin, run.size) *= scale;
      slope -= V_.col(added).segment(run.begin, run.size).dot(gradient_->segment(run.begin, run.size));
    }
    ++group.count;
    if (group.touches) add_unknown(static_cast<int>(g), added);
  }
  if (static_cast<Index>(unknowns_.size()) > from) {
    for (size_t t = 0; t < touched_.size(); ++t) {
      const int last = groups_[group_of_[touched_[t]]].count - 1;
      if (last >= 0) there_.block<1, 3>(last, 3 * t) = V_.col(last).segment<3>(3 * touched_[t]).transpose();
    }
    add_all_coupled(from);
    append(from);
  }
  return true;
}

void ContactSpace::add_unknown(int group, int column) {
  index_(column, group) = static_cast<int>(unknowns_.size());
  unknowns_.push_back({group, column});
}

double ContactSpace::minimize() {
  double decrease = 0;
  for (size_t g = 0; g < groups_.size(); ++g)
    if (!groups_[g].touches) decrease += share_.col(g).head(groups_[g].count).squaredNorm();
  const Index K = static_cast<Index>(unknowns_.size());
  decrease += forward_.head(K).squaredNorm();
  y_ = forward_.head(K);
  lower_.topLeftCorner(K, K).triangularView<Eigen::Lower>().transpose().solveInPlace(y_);
  for (Index i = 0; i < K; ++i) share_(unknowns_[i].column, unknowns_[i].group) = y_[i];
  return 0.5 * decrease;
}

void ContactSpace::place(VectorXd& d, VectorXd& Ad) const {
  d.setZero(V_.rows());
  Ad.setZero(V_.rows());
  for (size_t g = 0; g < groups_.size(); ++g)
    for (const Run& run : groups_[g].runs)
      for (int j = 0; j < groups_[g].count; ++j) {
        d.segment(run.begin, run.size) += share_(j, g) * V_.col(j).segment(run.begin, run.size);
        Ad.segment(run.begin, run.size) += share_(j, g) * image_.col(j).segment(run.begin, run.size);
      }
}

}  // namespace brio
