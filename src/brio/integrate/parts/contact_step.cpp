#include "brio/integrate/parts/contact_step.hpp"

namespace brio {
namespace {

constexpr int kMostSolves = 120;
constexpr double kRoughly = 0.03;     // of the residual of a Newton step, in the norm of A^-1, far from the minimum
constexpr double kSolved = 0.01;      // and near it
constexpr double kPartOfIt = 0.5;     // of what may be left: what a Newton step leaves

}  // namespace

void ContactStep::begin(const VectorXd& q, double h, Linearization& lin) {
  lin_ = &lin;
  motions_.begin(q, h, lin);
}

/// Conjugate gradients on (A + C) d = -g with A^-1 in front, and without the motions of pieces as a whole, which are
/// solved for directly. A p is carried along, so that A is never multiplied.
int ContactStep::solve(const ContactTerms& terms, const VectorXd& gradient, double precision, bool far) {
  direction_.setZero(gradient.size());
  image_.setZero(gradient.size());
  residual_ = -gradient;
  reuse_directions(terms);
  motions_.couple(terms);
  if (!motions_.empty()) {  // the residual has no such motions from here on, without which the rest is not symmetric
    search_.setZero(gradient.size());
    search_full_.setZero(gradient.size());
    motions_.add_solution(residual_, 1, search_, search_full_);
    direction_ += search_;
    image_ += search_full_;
    terms.add_product(search_, search_full_);
    residual_ -= search_full_;
  }
  // z = w - Z E^-1 Z^T C w with w = A^-1 r
  const auto precondition = [&] {
    preconditioned_ = residual_;
    lin_->solve(preconditioned_);
    product_ = residual_;
    if (motions_.empty()) return;
    search_full_.setZero(residual_.size());
    terms.add_product(preconditioned_, search_full_);
    motions_.add_solution(search_full_, -1, preconditioned_, product_);
  };
  precondition();
  search_ = preconditioned_;
  search_matrix_ = product_;
  double rho = residual_.dot(preconditioned_);
  const double share = far ? kRoughly : kSolved, enough = share * share * rho;
  int iterations = 1;
  for (; iterations < kMostSolves && rho > enough && rho > 0; ++iterations) {
    if (residual_.norm() <= kPartOfIt * precision) break;
    search_full_ = search_matrix_;
    terms.add_product(search_, search_full_);
    const double step = rho / search_.dot(search_full_);
    keep_direction(rho / step);
    direction_ += step * search_;
    image_ += step * search_matrix_;
    residual_ -= step * search_full_;
    precondition();
    const double next = residual_.dot(preconditioned_);
    search_ = preconditioned_ + (next / rho) * search_;
    search_matrix_ = product_ + (next / rho) * search_matrix_;
    rho = next;
  }
  return iterations;
}

/// The iterations of a step have nearly the same matrix, so that directions of an earlier one are nearly conjugate in a
/// later one: what they can do is done before the first solve.
void ContactStep::reuse_directions(const ContactTerms& terms) {
  if (kept_ == 0) return;
  search_.setZero(residual_.size());
  search_full_.setZero(residual_.size());
  for (int k = 0; k < kept_; ++k) {
    const double share = kept_directions_.col(k).dot(residual_) / kept_curvatures_[k];
    search_ += share * kept_directions_.col(k);
    search_full_ += share * kept_images_.col(k);
  }
  direction_ += search_;
  image_ += search_full_;
  terms.add_product(search_, search_full_);
  residual_ -= search_full_;
}

void ContactStep::keep_direction(double curvature) {
  if (kept_ == kMostKept) return;
  if (kept_directions_.rows() != search_.size()) {
    kept_directions_.resize(search_.size(), kMostKept);
    kept_images_.resize(search_.size(), kMostKept);
    kept_curvatures_.resize(kMostKept);
  }
  kept_directions_.col(kept_) = search_;
  kept_images_.col(kept_) = search_matrix_;
  kept_curvatures_[kept_++] = curvature;
}

}  // namespace brio
