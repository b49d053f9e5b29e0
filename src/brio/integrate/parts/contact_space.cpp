#include "brio/integrate/parts/contact_space.hpp"

#include "brio/core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

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

/// Terms in the order of the groups that they couple, and the points that they have.
void ContactSpace::find_coupled() {
  const size_t groups = basis_.groups().size();
  slot_.resize(terms_->motion.own, -1);
  coupled_.clear();
  for (int p : touched_) slot_[p] = -1;
  touched_.clear();
  touches_.assign(groups, 0);
  for (size_t t = 0; t < terms_->list.size(); ++t) {
    Coupled& coupled = coupled_.emplace_back();
    coupled.groups.fill(-1);
    coupled.term = static_cast<int>(t);
    auto end = coupled.groups.begin();
    for (int p : terms_->list[t].point) {
      if (p < 0) continue;
      if (p < terms_->motion.own && slot_[p] < 0) {
        slot_[p] = static_cast<int>(touched_.size());
        touched_.push_back(p);
      }
      const int group = basis_.group_of(p);
      touches_[group] = 1;
      if (std::find(coupled.groups.begin(), end, group) == end) *end++ = group;
    }
    std::sort(coupled.groups.begin(), end);
  }
  std::sort(coupled_.begin(), coupled_.end());
  constexpr size_t kTermsPerBlock = 64;
  block_count_ = 0;
  for (size_t begin = 0, end = 0; begin < coupled_.size(); begin = end) {
    while (end < coupled_.size() && end < begin + kTermsPerBlock && coupled_[end].groups == coupled_[begin].groups)
      ++end;
    if (coupled_[begin].groups[0] < 0) continue;
    if (block_count_ == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[block_count_++];
    block.begin = begin;
    block.end = end;
  }
}

/// Half of the directions go where an iteration might find no room for its own.
void ContactSpace::make_room() {
  Index unknowns = 0, touching = 0, most = 0;
  for (size_t g = 0; g < touches_.size(); ++g) {
    most = std::max<Index>(most, basis_.groups()[g].count);
    if (!touches_[g]) continue;
    unknowns += basis_.groups()[g].count;
    ++touching;
  }
  const Index more = std::max<Index>(kLeastRoom, std::min<Index>(16, kMostUnknowns / std::max<Index>(1, 4 * touching)));
  if (most + more > basis_.capacity() || unknowns + more * touching > kMostUnknowns) basis_.halve();
}

void ContactSpace::add_unknowns(int group, int from) {
  for (int j = from; j < basis_.groups()[group].count; ++j) {
    index_[group].push_back(static_cast<int>(unknowns_.size()));
    unknowns_.push_back({group, j});
  }
}

void ContactSpace::copy_directions() {
  int most = 0;
  for (size_t g = 0; g < copied_.size(); ++g) most = std::max(most, basis_.groups()[g].count - copied_[g]);
  there_.resize(most, 3 * touched_.size());
  parallel_for(static_cast<int>(touched_.size()), 64, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const int from = copied_[basis_.group_of(touched_[t])];
      const auto here = basis_.at_point(touched_[t]);
      for (Index j = from; j < here.cols(); ++j) there_.block<1, 3>(j - from, 3 * t) = here.col(j).transpose();
    }
  });
  for (size_t g = 0; g < copied_.size(); ++g) copied_[g] = basis_.groups()[g].count;
}

/// The gradient and the force of contact along the directions that are new.
void ContactSpace::project() {
  basis_.project(gradient_, projected_, slope_);
  basis_.project(force_, projected_, forces_);
  for (size_t g = 0; g < projected_.size(); ++g) projected_[g] = basis_.groups()[g].count;
}

double ContactSpace::strain_energy() const {
  double sum = 0;
  for (size_t g = 0; g < touches_.size(); ++g) {
    const ContactBasis::Group& group = basis_.groups()[g];
    sum += forces_.col(g).segment(group.rigid, group.count - group.rigid).squaredNorm();
  }
  return 0.5 * sum;
}

void ContactSpace::couple(const ContactTerms& terms, const VectorXd& gradient, const VectorXd& force) {
  terms_ = &terms;
  basis_.gather(gradient, gradient_);
  basis_.gather(force, force_);
  find_coupled();
  make_room();
  const size_t groups = touches_.size();
  unknowns_.clear();
  index_.resize(groups);
  copied_.assign(groups, 0);
  for (size_t g = 0; g < groups; ++g) {
    index_[g].clear();
    if (touches_[g]) add_unknowns(static_cast<int>(g), 0);
  }
  projected_.assign(groups, 0);
  project();
  share_ = -slope_;
  factor_.resize(coupled_.size());
  rank_.resize(coupled_.size());
  parallel_for(static_cast<int>(block_count_), 1, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      blocks_[b].filled = 0;
      blocks_[b].unknown.clear();
      for (size_t c = blocks_[b].begin; c < blocks_[b].end; ++c) {
        rank_[c] = rows_of(terms_->list[coupled_[c].term].stiffness, factor_[c]);
        blocks_[b].filled += rank_[c];
      }
    }
  });
  // Joints may be more than that already: then as many directions as there is least room for.
  const Index most = std::max<Index>(kMostUnknowns, unknowns_.size() + kLeastRoom * groups);
  if (lower_.rows() < most) {
    lower_.resize(most, most);
    forward_.resize(most);
  }
  fill_matrix(0);
  append(0);
}

/// Adds columns to the rows of a block for all unknowns of its groups from `from` on.
void ContactSpace::fill_rows(Block& block, Index from) {
  const Groups& of = coupled_[block.begin].groups;
  const Index known = static_cast<Index>(block.unknown.size());
  std::array<Index, 4> at{}, first{}, count{};
  for (int s = 0; s < 4 && of[s] >= 0; ++s) {
    const std::vector<int>& index = index_[of[s]];
    first[s] = std::lower_bound(index.begin(), index.end(), from) - index.begin();
    count[s] = static_cast<Index>(index.size()) - first[s];
    at[s] = static_cast<Index>(block.unknown.size());
    block.unknown.insert(block.unknown.end(), index.begin() + first[s], index.end());
  }
  const Index columns = static_cast<Index>(block.unknown.size()), added = columns - known;
  if (block.rows.rows() < block.filled || block.rows.cols() < columns) {
    constexpr Index kMore = 24;
    MatrixXd larger(std::max(block.filled, block.rows.rows()), columns + kMore);
    if (known > 0) larger.topLeftCorner(block.filled, known) = block.rows.topLeftCorner(block.filled, known);
    block.rows.swap(larger);
  }
  block.rows.block(0, known, block.filled, added).setZero();
  Index row = 0;
  for (size_t c = block.begin; c < block.end; ++c) {
    const ContactTerm& term = terms_->list[coupled_[c].term];
    auto rows = block.rows.middleRows(row, rank_[c]);
    for (int i = 0; i < 4; ++i) {
      const int p = term.point[i];
      if (p < 0) continue;
      const int side = static_cast<int>(std::find(of.begin(), of.end(), basis_.group_of(p)) - of.begin());
      const Index k = count[side];
      if (k == 0) continue;
      if (p < terms_->motion.own) {
        const double *x = there_.col(3 * slot_[p]).data(), *y = x + there_.rows(), *z = y + there_.rows();
        for (int r = 0; r < rank_[c]; ++r) {
          const Vec3 b = term.weight[i] * factor_[c].row(r).transpose();
          for (Index j = 0; j < k; ++j) rows(r, at[side] + j) += b[0] * x[j] + b[1] * y[j] + b[2] * z[j];
        }
      } else {
        rows.middleCols(at[side], k).noalias() += (term.weight[i] * factor_[c].topRows(rank_[c]) *
                                                   terms_->motion.carried.middleRows<3>(3 * (p - terms_->motion.own))) *
                                                  basis_.at_joints().middleCols(first[side], k);
      }
    }
    row += rank_[c];
  }
  const auto all = block.rows.topLeftCorner(block.filled, columns);
  if (known == 0) {
    block.product.noalias() = all.transpose() * all;
  } else {  // a few columns, one by one: a product of matrices would copy all rows first
    block.product.resize(columns, added);
    for (Index w = 0; w < added; ++w) block.product.col(w).noalias() = all.transpose() * all.col(known + w);
  }
}

void ContactSpace::fill_matrix(Index from) {
  copy_directions();
  parallel_for(static_cast<int>(block_count_), 1, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) fill_rows(blocks_[b], from);
  });
  const Index K = static_cast<Index>(unknowns_.size());
  matrix_.setZero(K, K - from);
  for (Index i = from; i < K; ++i) matrix_(i, i - from) = 1;  // V^T A V
  for (size_t b = 0; b < block_count_; ++b) {
    const Block& block = blocks_[b];
    const Index known = static_cast<Index>(block.unknown.size()) - block.product.cols();
    for (Index w = 0; w < block.product.cols(); ++w)
      for (size_t i = 0; i < block.unknown.size(); ++i)
        matrix_(block.unknown[i], block.unknown[known + w] - from) += block.product(i, w);
  }
}

/// The rows of the factor, and of its first solution, from an unknown on.
void ContactSpace::append(Index from) {
  const Index K = static_cast<Index>(unknowns_.size()), more = K - from;
  const auto known = lower_.topLeftCorner(from, from).triangularView<Eigen::Lower>();
  for (Index i = from; i < K; ++i) forward_[i] = -slope_(unknowns_[i].column, unknowns_[i].group);
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

bool ContactSpace::add(const VectorXd& w) {
  const Index from = static_cast<Index>(unknowns_.size());
  if (from + std::count(touches_.begin(), touches_.end(), 1) > lower_.rows()) return false;
  if (!basis_.add(w)) return false;
  project();
  for (size_t g = 0; g < touches_.size(); ++g) {
    if (touches_[g])
      add_unknowns(static_cast<int>(g), static_cast<int>(index_[g].size()));
    else
      share_.col(g) = -slope_.col(g);
  }
  if (static_cast<Index>(unknowns_.size()) == from) return true;
  fill_matrix(from);
  append(from);
  return true;
}

double ContactSpace::minimize() {
  double decrease = 0;
  for (size_t g = 0; g < touches_.size(); ++g)
    if (!touches_[g]) decrease += share_.col(g).head(basis_.groups()[g].count).squaredNorm();
  const Index K = static_cast<Index>(unknowns_.size());
  decrease += forward_.head(K).squaredNorm();
  y_ = forward_.head(K);
  lower_.topLeftCorner(K, K).triangularView<Eigen::Lower>().transpose().solveInPlace(y_);
  for (Index i = 0; i < K; ++i) share_(unknowns_[i].column, unknowns_[i].group) = y_[i];
  return 0.5 * decrease;
}

}  // namespace brio
