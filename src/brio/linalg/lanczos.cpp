#include "brio/linalg/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {

void Lanczos::begin(const VectorXd& mass, const VectorXd& start, int most) {
  if (V_.rows() != start.size() || V_.cols() != most + 1) V_.resize(start.size(), most + 1);
  alpha_.resize(most);
  beta_.resize(most);
  size_ = 0;
  length_ = std::sqrt(start.dot(mass.cwiseProduct(start)));
  if (length_ > 0) V_.col(0) = start / length_;
}

bool Lanczos::extend(const VectorXd& mass, const Product& stiffness) {
  const int j = size_++;
  column_ = V_.col(j);
  stiffness(column_, image_);
  alpha_[j] = column_.dot(image_);
  image_.array() /= mass.array();
  const double before = std::sqrt(image_.dot(mass.cwiseProduct(image_)));
  image_ -= alpha_[j] * column_;
  if (j > 0) image_ -= beta_[j - 1] * V_.col(j - 1);
  beta_[j] = std::sqrt(image_.dot(mass.cwiseProduct(image_)));
  // What is left is rounding: the space holds the image of its last vector.
  constexpr double kInvariant = 8 * std::numeric_limits<double>::epsilon();
  if (beta_[j] <= kInvariant * before) beta_[j] = 0;
  if (beta_[j] == 0) return false;
  V_.col(j + 1) = image_ / beta_[j];
  return true;
}

}  // namespace brio
