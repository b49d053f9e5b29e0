#include "brio/diagnose/path_error.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

RecordedPath::RecordedPath(int frames, Index vertices, size_t most_bytes) {
  const double bytes = static_cast<double>(frames) * static_cast<double>(vertices) * 3 * sizeof(double);
  stride_ = std::max<size_t>(1, static_cast<size_t>(std::ceil(bytes / static_cast<double>(most_bytes))));
}

void RecordedPath::add(double time, const MatrixX3d& x) {
  if (seen_++ % stride_ != 0) return;
  time_.push_back(time);
  x_.push_back(x);
}

const MatrixX3d* RecordedPath::at(double time) const {
  if (time_.empty()) return nullptr;
  const double apart = (time_.back() - time_.front()) / static_cast<double>(std::max<size_t>(1, time_.size() - 1));
  const double tolerance = 1e-6 * apart;
  const auto found = std::lower_bound(time_.begin(), time_.end(), time - tolerance);
  if (found == time_.end() || *found > time + tolerance) return nullptr;
  return &x_[found - time_.begin()];
}

Index RecordedPath::most_moving_vertex() const {
  Index vertex = 0, candidate = 0;
  double farthest = 0;
  for (const MatrixX3d& x : x_) {
    const double distance = (x - x_.front()).rowwise().squaredNorm().maxCoeff(&candidate);
    if (!(distance > farthest)) continue;
    farthest = distance;
    vertex = candidate;
  }
  return vertex;
}

void PathError::add(double time, const MatrixX3d& x, const VectorXd& vertex_mass, const RecordedPath& reference) {
  const MatrixX3d* there = reference.at(time);
  if (!there) return;
  difference_ += vertex_mass.dot((x - *there).rowwise().squaredNorm());
  displacement_ += vertex_mass.dot((*there - reference.frames().front()).rowwise().squaredNorm());
}

std::optional<double> PathError::relative() const {
  if (!(displacement_ > 0) || !std::isfinite(difference_)) return {};
  return std::sqrt(difference_ / displacement_);
}

}  // namespace brio
