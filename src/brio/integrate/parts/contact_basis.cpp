#include "brio/integrate/parts/contact_basis.hpp"

#include "brio/core/parallel.hpp"
#include "brio/integrate/parts/recent_ways.hpp"
#include "brio/integrate/parts/step_matrix.hpp"
#include "brio/linalg/tall_products.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr size_t kMostGroups = 64;  // more pieces than this are taken together
constexpr Index kMostAdded = 48, kFewestAdded = 12;
constexpr Index kMostNumbers = 4'000'000;  // of the directions: 32 MB, and as much for their images
constexpr Index kRowsPerTile = 512;

}  // namespace

ContactBasis::ContactBasis(const System& system, Index joints) : system_(system), joints_(joints) {}

/// Free and held pieces are groups of their own; where there are bones, what is held may be coupled by them.
void ContactBasis::find_groups() {
  groups_.clear();
  group_of_.assign((system_.dofs() - joints_) / 3, -1);
  const auto add = [&](const Points& points, bool free) {
    for (int p : points) group_of_[p] = static_cast<int>(groups_.size());
    groups_.emplace_back().free = free ? &points : nullptr;
  };
  const auto &free = system_.free_pieces(), &held = system_.held_pieces();
  if (free.size() + held.size() <= kMostGroups) {
    for (const Points& points : free) {
      const bool alone = std::all_of(points.begin(), points.end(), [&](int p) {
        return joints_ == 0 || motions_.block(3 * p, kRigid, 3, joints_).isZero(0);
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
  order_.clear();
  row_of_.resize(system_.dofs());
  for (size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].begin = static_cast<Index>(order_.size());
    for (size_t p = 0; p < group_of_.size(); ++p) {
      if (group_of_[p] != static_cast<int>(g)) continue;
      for (int k = 0; k < 3; ++k) order_.push_back(static_cast<int>(3 * p) + k);
    }
    if (static_cast<int>(g) == rest)
      for (Index j = 0; j < joints_; ++j) order_.push_back(static_cast<int>(system_.dofs() - joints_ + j));
    groups_[g].size = static_cast<Index>(order_.size()) - groups_[g].begin;
  }
  for (size_t i = 0; i < order_.size(); ++i) row_of_[order_[i]] = static_cast<int>(i);
  tiles_.clear();
  for (size_t g = 0; g < groups_.size(); ++g)
    for (Index first = 0; first < groups_[g].size; first += kRowsPerTile)
      tiles_.push_back({static_cast<int>(g), first, std::min(kRowsPerTile, groups_[g].size - first)});
}

template <class Work>
void ContactBasis::for_tiles(const Work& work) {
  parallel_for(static_cast<int>(tiles_.size()), 2, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) work(tiles_[t], t);
  });
}

void ContactBasis::gather(const VectorXd& x, VectorXd& rows) const {
  rows.resize(x.size());
  for (size_t i = 0; i < order_.size(); ++i) rows[i] = x[order_[i]];
}

void ContactBasis::add_up(const std::vector<int>& from, MatrixXd& shares) const {
  shares.resize(capacity_, groups_.size());  // which keeps what is there once it has that size
  for (size_t g = 0; g < groups_.size(); ++g) shares.col(g).segment(from[g], groups_[g].count - from[g]).setZero();
  for (size_t t = 0; t < tiles_.size(); ++t) {
    const int g = tiles_[t].group, count = groups_[g].count - from[g];
    shares.col(g).segment(from[g], count) += partial_.col(t).segment(from[g], count);
  }
}

void ContactBasis::begin(const VectorXd& q, double h, const VectorXd& way, const VectorXd& image_of_way,
                         const MatrixXd& recent, Linearization& lin) {
  const Index n = q.size(), base = kRigid + joints_, ways = 1 + recent.cols();
  lin_ = &lin;
  h_ = h;
  motions_.resize(n, base + ways);
  images_.resize(n, motions_.cols());
  if (joints_ > 0) {
    auto of_joints = motions_.middleCols(kRigid, joints_), forces = images_.middleCols(kRigid, joints_);
    forces.setZero();
    forces.bottomRows(joints_).setIdentity();
    of_joints = forces;
    lin.solve(of_joints);
  }
  if (V_.size() == 0) {
    find_groups();
    capacity_ = base + 1 + RecentWays::kMost + std::clamp<Index>(kMostNumbers / n, kFewestAdded, kMostAdded);
    V_.resize(n * capacity_);
    AV_.resize(n * capacity_);
    partial_.resize(capacity_, tiles_.size());
    first_.assign(groups_.size(), 0);
    rigid_.resize(groups_.size());
  }
  if (fill_rigid_motions(q)) multiply(0, kRigid);
  motions_.col(base) = way;
  images_.col(base) = image_of_way;
  motions_.rightCols(recent.cols()) = recent;
  if (recent.cols() > 0) multiply(base + 1, recent.cols());
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Index first = group.free                ? 0
                        : g + 1 == groups_.size() ? kRigid
                                                  : base,
                own = group.free ? kRigid : base - first;
    take_columns(group, first, own, 0);
    take_columns(group, base, ways, own);
    orthonormalize(static_cast<int>(g), static_cast<int>(own), static_cast<int>(own + ways));
    rigid_[g] = group.rigid;
  }
}

/// Of motions and images, from a column on, to the columns of a group from another one on.
void ContactBasis::take_columns(const Group& group, Index from, Index count, Index to) {
  Columns V = directions(group), AV = images(group);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < group.size; ++i) {
      V(i, to + j) = motions_(order_[group.begin + i], from + j);
      AV(i, to + j) = images_(order_[group.begin + i], from + j);
    }
}

void ContactBasis::multiply(Index first, Index count) {
  const auto X = motions_.middleCols(first, count);
  auto Y = images_.middleCols(first, count);
  lin_->multiply_stiffness_block(X, Y);
  const VectorXd& mass = system_.mass();
  parallel_for(static_cast<int>(count), 1, [&](int begin, int end) {
    for (int j = begin; j < end; ++j) Y.col(j) = h_ * h_ * Y.col(j) + mass.cwiseProduct(X.col(j));
  });
  if (!system_.has_damping()) return;
  parts_.resize(X.rows(), count);
  lin_->multiply_damping_block(X, parts_);
  Y += h_ * parts_;
}

/// Whether there are any.
bool ContactBasis::fill_rigid_motions(const VectorXd& q) {
  bool any = false;
  motions_.leftCols<kRigid>().setZero();
  for (const Group& group : groups_) {
    if (!group.free) continue;
    any = true;
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
  return any;
}

/// By Cholesky's factor of V^T A V, from which dependent columns are left out.
void ContactBasis::orthonormalize(int g, int rigid, int columns) {
  constexpr double kDependent = 1e-9;
  Group& group = groups_[g];
  Columns V = directions(group), AV = images(group);
  multiply_transposed(V.leftCols(columns), AV.leftCols(columns), gram_, scratch_);
  lower_.setZero(columns, columns);
  independent_.clear();
  group.rigid = 0;
  for (int j = 0; j < columns; ++j) {
    const Index k = static_cast<Index>(independent_.size());
    for (Index i = 0; i < k; ++i) {
      const double part = gram_(independent_[i], j) - lower_.row(i).head(i).dot(lower_.row(k).head(i));
      lower_(k, i) = part / lower_(i, i);
    }
    const double left = gram_(j, j) - lower_.row(k).head(k).squaredNorm();
    if (!(left > kDependent * gram_(j, j))) continue;
    lower_(k, k) = std::sqrt(left);
    independent_.push_back(j);
    if (j < rigid) ++group.rigid;
  }
  group.count = group.begun = static_cast<int>(independent_.size());
  const auto L = lower_.topLeftCorner(group.count, group.count).triangularView<Eigen::Lower>();
  const int tiles = static_cast<int>((group.size + kRowsPerTile - 1) / kRowsPerTile);
  parallel_for(tiles, 2, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const Index first = t * kRowsPerTile, rows = std::min(kRowsPerTile, group.size - first);
      for (Columns* columns_of : {&V, &AV}) {
        for (int k = 0; k < group.count; ++k)
          if (independent_[k] != k)
            columns_of->col(k).segment(first, rows) = columns_of->col(independent_[k]).segment(first, rows);
        auto part = columns_of->block(first, 0, rows, group.count);
        L.transpose().solveInPlace<Eigen::OnTheRight>(part);
      }
    }
  });
}

bool ContactBasis::add(const VectorXd& w) {
  constexpr double kNothing = 1e-12;  // of what is added: less than this is round-off of what is there already
  for (const Group& group : groups_)
    if (group.count == capacity_) return false;
  multiply_step_matrix(system_, *lin_, h_, w, image_, damped_);
  gather(w, w_);
  gather(image_, Aw_);
  const double all = Aw_.dot(w_);
  // At the exact minimum A^-1 r is orthogonal to the others; what round-off leaves would grow from solve to solve.
  for_tiles([&](const Tile& tile, int t) {
    const Group& group = groups_[tile.group];
    partial_.col(t).head(group.count).noalias() =
        images(group).block(tile.first, 0, tile.rows, group.count).transpose() *
        w_.segment(group.begin + tile.first, tile.rows);
  });
  add_up(first_, parts_);
  for_tiles([&](const Tile& tile, int t) {
    const Group& group = groups_[tile.group];
    Columns V = directions(group), AV = images(group);
    auto own = V.col(group.count).segment(tile.first, tile.rows),
         image = AV.col(group.count).segment(tile.first, tile.rows);
    own = w_.segment(group.begin + tile.first, tile.rows);
    image = Aw_.segment(group.begin + tile.first, tile.rows);
    const auto part = parts_.col(tile.group).head(group.count);
    own.noalias() -= V.block(tile.first, 0, tile.rows, group.count) * part;
    image.noalias() -= AV.block(tile.first, 0, tile.rows, group.count) * part;
    partial_(0, t) = own.dot(image);
  });
  norms_.setZero(groups_.size());
  for (size_t t = 0; t < tiles_.size(); ++t) norms_[tiles_[t].group] += partial_(0, t);
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (!(norms_[g] > kNothing * all)) continue;
    const double scale = 1 / std::sqrt(norms_[g]);
    directions(groups_[g]).col(groups_[g].count) *= scale;
    images(groups_[g]).col(groups_[g].count) *= scale;
    ++groups_[g].count;
  }
  return true;
}

void ContactBasis::halve() {
  for (Group& group : groups_) {
    const int gone = (group.count - group.begun + 1) / 2;
    Columns V = directions(group), AV = images(group);
    for (int j = group.begun; j + gone < group.count; ++j) {
      V.col(j) = V.col(j + gone);
      AV.col(j) = AV.col(j + gone);
    }
    group.count -= gone;
  }
}

Eigen::Block<const Eigen::Map<const MatrixXd>> ContactBasis::at_point(int point) const {
  const Group& group = groups_[group_of_[point]];
  const Eigen::Map<const MatrixXd> V(V_.data() + group.begin * capacity_, group.size, capacity_);
  return {V, row_of_[3 * point] - group.begin, 0, 3, group.count};
}

Eigen::Block<const Eigen::Map<const MatrixXd>> ContactBasis::at_joints() const {
  const Group& group = groups_.back();
  const Eigen::Map<const MatrixXd> V(V_.data() + group.begin * capacity_, group.size, capacity_);
  return {V, group.size - joints_, 0, joints_, group.count};
}

void ContactBasis::project(const VectorXd& rows, const std::vector<int>& from, MatrixXd& shares) {
  for_tiles([&](const Tile& tile, int t) {
    const Group& group = groups_[tile.group];
    const int first = from[tile.group], count = group.count - first;
    partial_.col(t).segment(first, count).noalias() =
        directions(group).block(tile.first, first, tile.rows, count).transpose() *
        rows.segment(group.begin + tile.first, tile.rows);
  });
  add_up(from, shares);
}

double ContactBasis::strain_energy(const VectorXd& force) {
  gather(force, w_);
  project(w_, rigid_, parts_);
  double sum = 0;
  for (size_t g = 0; g < groups_.size(); ++g)
    sum += parts_.col(g).segment(groups_[g].rigid, groups_[g].count - groups_[g].rigid).squaredNorm();
  return 0.5 * sum;
}

void ContactBasis::combine(const MatrixXd& shares, VectorXd& d, VectorXd& Ad) {
  d.resize(order_.size());
  Ad.resize(order_.size());
  for_tiles([&](const Tile& tile, int) {
    const Group& group = groups_[tile.group];
    const Index begin = group.begin + tile.first;
    const auto share = shares.col(tile.group).head(group.count);
    const auto scatter = [&](const Columns& of, VectorXd& x) {
      std::array<double, kRowsPerTile> sum;
      Eigen::Map<VectorXd> rows(sum.data(), tile.rows);
      rows.noalias() = of.block(tile.first, 0, tile.rows, group.count) * share;
      for (Index i = 0; i < tile.rows; ++i) x[order_[begin + i]] = rows[i];
    };
    scatter(directions(group), d);
    scatter(images(group), Ad);
  });
}

}  // namespace brio
