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

bool Lanczos::extend(const VectorXd& mass, Eigen::Ref<VectorXd> image) {
  const int j = size_++;
  alpha_[j] = V_.col(j).dot(image);
  image.array() /= mass.array();
  const double before = std::sqrt(image.dot(mass.cwiseProduct(image)));
  image -= alpha_[j] * V_.col(j);
  if (j > 0) image -= beta_[j - 1] * V_.col(j - 1);
  beta_[j] = std::sqrt(image.dot(mass.cwiseProduct(image)));
  // What is left is rounding: the space holds the image of its last vector.
  constexpr double kInvariant = 8 * std::numeric_limits<double>::epsilon();
  if (beta_[j] <= kInvariant * before) beta_[j] = 0;
  if (beta_[j] == 0) return false;
  V_.col(j + 1) = image / beta_[j];
  return true;
}

}  // namespace brio
