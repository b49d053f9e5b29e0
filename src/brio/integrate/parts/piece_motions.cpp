#include "brio/integrate/parts/piece_motions.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

PieceMotions::PieceMotions(const System& system, Index joints) : system_(system), joints_(joints) {
  const auto& pieces = system.free_pieces();
  piece_.assign(system.dofs() / 3, -1);
  for (size_t k = 0; k < pieces.size(); ++k)
    for (int p : pieces[k]) piece_[p] = static_cast<int>(k);
  column_.assign(pieces.size(), -1);
  own_.resize(pieces.size());
  arm_.setZero(system.dofs());
}

Vec3 PieceMotions::motion(const double* y, int point) const {
  return Vec3(y[0], y[1], y[2]) + Vec3(y[3], y[4], y[5]).cross(arm_.segment<3>(3 * point));
}

void PieceMotions::begin(const VectorXd& q, double h, Linearization& lin) {
  touched_.clear();
  small_.resize(0, 0);
  if (joints_ > 0) {
    joint_modes_.setZero(q.size(), joints_);
    joint_modes_.bottomRows(joints_).setIdentity();
    lin.solve(joint_modes_);
  }
  const auto& pieces = system_.free_pieces();
  if (pieces.empty()) return;
  modes_.setZero(q.size(), 6);
  for (const Points& points : pieces) {
    const Vec3 center = mean(points, system_.mass(), q);
    double size = 0;
    for (int p : points) size = std::max(size, (q.segment<3>(3 * p) - center).norm());
    for (int p : points) {
      arm_.segment<3>(3 * p) = size > 0 ? Vec3((q.segment<3>(3 * p) - center) / size) : Vec3::Zero();
      for (int j = 0; j < 3; ++j) {
        modes_(3 * p + j, j) = 1;
        modes_.block<3, 1>(3 * p, 3 + j) = Vec3::Unit(j).cross(arm_.segment<3>(3 * p));
      }
    }
  }
  image_.resize(q.size(), 6);
  lin.multiply_stiffness_block(modes_, image_);
  image_ *= h * h;
  for (int j = 0; j < 6; ++j) image_.col(j) += system_.mass().cwiseProduct(modes_.col(j));
  if (system_.has_damping()) {
    work_.resize(q.size(), 6);
    lin.multiply_damping_block(modes_, work_);
    image_ += h * work_;
  }
  for (size_t k = 0; k < pieces.size(); ++k) {
    own_[k].setZero();
    for (int p : pieces[k]) own_[k] += modes_.block<3, 6>(3 * p, 0).transpose() * image_.block<3, 6>(3 * p, 0);
  }
}

void PieceMotions::couple(const ContactTerms& terms) {
  touched_.clear();
  std::fill(column_.begin(), column_.end(), -1);
  for (const ContactTerm& term : terms.list)
    for (int p : term.point)
      if (piece_of(p) >= 0) column_[piece_of(p)] = 0;
  for (size_t k = 0; k < column_.size(); ++k) {
    if (column_[k] < 0) continue;
    column_[k] = static_cast<int>(touched_.size());
    touched_.push_back(static_cast<int>(k));
  }
  if (touched_.size() > kMostPieces) touched_.clear();
  const Index pieces_end = 6 * static_cast<Index>(touched_.size());
  const Index motions = terms.list.empty() ? 0 : pieces_end + joints_;
  small_.setZero(motions, motions);
  if (motions == 0) return;
  for (size_t k = 0; k < touched_.size(); ++k) small_.block<6, 6>(6 * k, 6 * k) = own_[touched_[k]];
  for (size_t c = 0; c < terms.list.size() && !touched_.empty(); ++c) {
    const ContactTerm& term = terms.list[c];
    // A contact is between two pieces at most: the way between its sides by the motions of each.
    int pieces[2] = {-1, -1};
    Eigen::Matrix<double, 3, 6> way[2];
    for (int i = 0; i < 4; ++i) {
      const int p = term.point[i];
      if (piece_of(p) < 0) continue;
      const int side = pieces[0] < 0 || pieces[0] == piece_[p] ? 0 : 1;
      if (pieces[side] < 0) {
        pieces[side] = piece_[p];
        way[side].setZero();
      }
      way[side] += term.weight[i] * modes_.block<3, 6>(3 * p, 0);
    }
    for (int a = 0; a < 2; ++a) {
      if (pieces[a] < 0) continue;
      const Eigen::Matrix<double, 3, 6> force = term.stiffness * way[a];
      for (int b = 0; b < 2; ++b)
        if (pieces[b] >= 0)
          small_.block<6, 6>(6 * column_[pieces[b]], 6 * column_[pieces[a]]) += way[b].transpose() * force;
    }
  }
  // A rope cannot be turned about itself, nor a point at all.
  constexpr double kShift = 1e-10;
  for (Index i = 0; i < pieces_end; ++i) small_(i, i) += kShift * small_.block<6, 6>(i / 6 * 6, i / 6 * 6).trace();
  if (joints_ > 0) couple_joints(terms);
  factor_.compute(small_);
  if (!factor_.ok()) small_.resize(0, 0);
}

void PieceMotions::couple_joints(const ContactTerms& terms) {
  const Index first = small_.rows() - joints_;
  for (Index j = 0; j < joints_; ++j) {
    product_.setZero(joint_modes_.rows());
    terms.add_product(joint_modes_.col(j), product_);
    product_[product_.size() - joints_ + j] += 1;  // A times the motion
    restrict(product_, y_);
    small_.col(first + j) = y_;
    small_.row(first + j).head(first) = y_.head(first);
  }
}

void PieceMotions::restrict(const VectorXd& force, VectorXd& y) const {
  const auto& pieces = system_.free_pieces();
  y.setZero(small_.rows());
  for (size_t k = 0; k < touched_.size(); ++k)
    for (int p : pieces[touched_[k]]) {
      const Vec3 f = force.segment<3>(3 * p);
      y.segment<3>(6 * k) += f;
      y.segment<3>(6 * k + 3) += arm_.segment<3>(3 * p).cross(f);
    }
  if (joints_ > 0) y.tail(joints_).noalias() = joint_modes_.transpose() * force;
}

void PieceMotions::add_solution(const VectorXd& force, double factor, VectorXd& x, VectorXd& Ax) {
  const auto& pieces = system_.free_pieces();
  restrict(force, y_);
  factor_.solve_in_place(y_);
  y_ *= factor;
  for (size_t k = 0; k < touched_.size(); ++k) {
    const double* y = y_.data() + 6 * k;
    for (int p : pieces[touched_[k]]) {
      x.segment<3>(3 * p) += motion(y, p);
      Ax.segment<3>(3 * p) += image_.block<3, 6>(3 * p, 0) * y_.segment<6>(6 * k);
    }
  }
  if (joints_ == 0) return;
  x.noalias() += joint_modes_ * y_.tail(joints_);
  Ax.tail(joints_) += y_.tail(joints_);
}

}  // namespace brio
