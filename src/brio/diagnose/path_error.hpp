#pragma once
// How far a run is from a reference: positions at the same times, weighed by mass.

#include "brio/core/archive.hpp"

#include <optional>
#include <vector>

namespace brio {

/// Positions of all vertices at the output times of a run.
class RecordedPath {
 public:
  /// Of the frames to come (`frames` at most) every one is kept or, when that took more than `most_bytes`, every
  /// second, third, …
  RecordedPath(int frames, Index vertices, size_t most_bytes = size_t{1} << 30);

  void add(double time, const MatrixX3d& x);
  /// The positions at that time, within a millionth of the distance between two frames; null where there are none.
  const MatrixX3d* at(double time) const;
  const std::vector<double>& times() const { return time_; }
  const std::vector<MatrixX3d>& frames() const { return x_; }
  /// The vertex that gets farthest from where it starts; 0 when nothing moves.
  Index most_moving_vertex() const;
  void archive(Archive& archive) { archive(stride_, seen_, time_, x_); }

 private:
  size_t stride_, seen_ = 0;
  std::vector<double> time_;  ///< [s]
  std::vector<MatrixX3d> x_;  ///< [m]
};

/// Root of the mass-weighted mean square of the difference over all vertices and times, relative to the same norm of
/// the reference's displacement from its start.
class PathError {
 public:
  /// Adds x at an output time of the reference; other times are ignored.
  void add(double time, const MatrixX3d& x, const VectorXd& vertex_mass, const RecordedPath& reference);
  /// Empty until the reference has moved.
  std::optional<double> relative() const;
  void archive(Archive& archive) { archive(difference_, displacement_); }

 private:
  double difference_ = 0, displacement_ = 0;  ///< sums of squares [kg m^2]
};

}  // namespace brio
