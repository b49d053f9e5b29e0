#include "brio/output/recording.hpp"

#include "brio/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

ByteField quantize(const VectorXd& values) {
  ByteField field;
  for (double value : values) field.most = std::max(field.most, value);
  for (double value : values) {
    const double part = field.most > 0 ? std::max(0.0, value) / field.most : 0;
    field.value.push_back(static_cast<std::uint8_t>(std::lround(255 * part)));
  }
  return field;
}

void require_finite(const VectorXd& values, const char* what, double time, const std::vector<int>& vertices) {
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error("frame at {} s: the {} of vertex {} is not a finite number", time, what,
                  vertices[i * static_cast<Index>(vertices.size()) / values.size()]);
}

}  // namespace

Recording::Recording(const BodyTopology& body, std::vector<DrawnObstacle> obstacles, RecordingLimits limits)
    : limits_(limits), obstacles_(std::move(obstacles)), most_(std::max(2, limits.frames)) {
  set_topology(body);
}

void Recording::set_topology(const BodyTopology& body) {
  vertices_ = body.vertices;
  parts_.emplace_back(body);
  const size_t frame_bytes = std::max<size_t>(1, 8 * parts_.back().vertices.size());
  most_ = std::clamp<size_t>(limits_.bytes / frame_bytes, 2, most_);
  while (kept_.size() > most_) keep_every_other();
}

void Recording::add(const Frame& frame, NodeStates nodes) {
  RecordedFrame recorded = record(frame);
  recorded.nodes = std::move(nodes);
  const bool keep = seen_++ % stride_ == 0;
  if (!keep) {
    last_ = std::move(recorded);
    return;
  }
  last_.reset();
  kept_.push_back(std::move(recorded));
  if (kept_.size() > most_) keep_every_other();
}

void Recording::keep_every_other() {
  if (kept_.size() % 2 == 0) last_ = std::move(kept_.back());
  const size_t left = (kept_.size() + 1) / 2;
  for (size_t i = 1; i < left; ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.resize(left);
  stride_ *= 2;
}

std::vector<const RecordedFrame*> Recording::frames() const {
  std::vector<const RecordedFrame*> all;
  for (const RecordedFrame& frame : kept_) all.push_back(&frame);
  if (last_) all.push_back(&*last_);
  return all;
}

RecordedFrame Recording::record(const Frame& frame) const {
  check_frame(vertices_, frame);
  if (frame.obstacles.size() != obstacles_.size())
    throw Error("frame at {} s has {} obstacle poses for {} obstacles", frame.time, frame.obstacles.size(),
                obstacles_.size());

  const DrawnPart& part = parts_.back();
  const MatrixX3d x = part.rows(frame.x);
  const VectorXd speed = part.rows(frame.v).rowwise().norm();
  const VectorXd strain = part.rows(frame.strain);
  require_finite(x.reshaped<Eigen::RowMajor>(), "position", frame.time, part.vertices);
  require_finite(speed, "speed", frame.time, part.vertices);
  require_finite(strain, "strain", frame.time, part.vertices);

  RecordedFrame recorded;
  recorded.time = frame.time;
  recorded.part = static_cast<int>(parts_.size()) - 1;
  recorded.obstacles = frame.obstacles;
  recorded.speed = quantize(speed);
  recorded.strain = quantize(strain);
  if (frame.stress) recorded.stress = quantize(part.rows(frame.stress->vertex.von_mises));
  if (frame.stress && frame.stress->element.von_mises.size() > 0) {
    const MatrixX3d stretches = part.rows(frame.stress->vertex.stretches);
    recorded.stretch = quantize(stretches.col(0).array() - 1);
    recorded.squeeze = quantize(1 - stretches.col(2).array());
  }
  if (frame.contact_force) recorded.contact = quantize(part.rows(*frame.contact_force).rowwise().norm());
  for (int k = 0; k < 3 && x.rows() > 0; ++k) {
    const auto [low, high] = std::minmax_element(x.col(k).begin(), x.col(k).end());
    recorded.low[k] = *low;
    recorded.size[k] = *high - *low;
  }
  recorded.position.reserve(x.size());
  for (Index i = 0; i < x.rows(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double at = recorded.size[k] > 0 ? (x(i, k) - recorded.low[k]) / recorded.size[k] : 0;
      recorded.position.push_back(static_cast<std::uint16_t>(std::lround(65535 * at)));
    }
  return recorded;
}

}  // namespace brio
