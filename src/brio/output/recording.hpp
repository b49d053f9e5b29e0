#pragma once
// The drawn part of a run, small enough for a web page: positions as 16 bits a coordinate, speed and strain as 8 bits,
// each relative to the range of its own frame, so that one wild frame does not coarsen the others.

#include "brio/core/archive.hpp"
#include "brio/output/frames/drawn_part.hpp"

#include <cstdint>
#include <optional>

namespace brio {

/// Numbers between 0 and `most`, as 0 … 255.
struct ByteField {
  double most = 0;
  std::vector<std::uint8_t> value;

  void archive(Archive& archive) { archive(most, value); }
};

/// States of the adaptive nodes of a condensed body in a step; empty where there are none.
struct NodeStates {
  std::vector<char> awake;   ///< whether each is dynamic
  std::vector<double> rate;  ///< of stretching around each [1/s]

  void archive(Archive& archive) { archive(awake, rate); }
};

struct RecordedFrame {
  double time = 0;                      ///< [s]
  int part = 0;                         ///< which of the recording's drawn parts
  Vec3 low = Vec3::Zero();              ///< least coordinates of the frame [m]
  Vec3 size = Vec3::Zero();             ///< greatest less least coordinates [m]
  std::vector<std::uint16_t> position;  ///< x = low + size * position / 65535
  ByteField speed;                      ///< [m/s]
  ByteField strain;
  ByteField stress;            ///< von Mises [Pa]; empty where there are no tetrahedra
  ByteField stretch, squeeze;  ///< largest principal stretch less one, one less the smallest; empty unless wanted
  ByteField contact;           ///< size of the force [N]; empty where nothing can touch
  std::vector<Placement> obstacles;
  NodeStates nodes;

  void archive(Archive& archive) {
    archive(time, part, low, size, position, speed, strain, stress, stretch, squeeze, contact, obstacles, nodes);
  }
};

struct RecordingLimits {
  int frames = 300;
  size_t bytes = 40'000'000;
};

/// Keeps frames evenly spaced in the order of arrival: when there are too many, every other one goes, and from then on
/// only every second, fourth, eighth … is kept. The last frame is always there.
class Recording {
 public:
  Recording(const BodyTopology& body, std::vector<DrawnObstacle> obstacles, RecordingLimits limits = {});

  /// Throws Error for a frame with a number that is not finite.
  void add(const Frame& frame, NodeStates nodes = {});

  /// The frames that follow have another topology, as after a cut.
  void set_topology(const BodyTopology& body);

  const DrawnPart& part() const { return parts_.front(); }        ///< at the start
  const std::vector<DrawnPart>& parts() const { return parts_; }  ///< at the start and after each change
  const std::vector<DrawnObstacle>& obstacles() const { return obstacles_; }
  /// In order of time.
  std::vector<const RecordedFrame*> frames() const;
  /// How many frames came, of which those are kept.
  size_t seen() const { return seen_; }
  /// The frames; the drawn parts and obstacles are those of the simulation.
  void archive(Archive& archive) { archive(most_, seen_, stride_, kept_, last_); }

 private:
  RecordedFrame record(const Frame& frame) const;
  void keep_every_other();

  RecordingLimits limits_;
  int vertices_ = 0;
  std::vector<DrawnPart> parts_;
  std::vector<DrawnObstacle> obstacles_;
  size_t most_;                        ///< frames kept, the last one not counted
  size_t seen_ = 0;                    ///< frames that came
  size_t stride_ = 1;                  ///< of these, every stride_-th is kept
  std::vector<RecordedFrame> kept_;    ///< frames 0, stride_, 2 stride_ …
  std::optional<RecordedFrame> last_;  ///< the newest frame, when it is not in kept_
};

}  // namespace brio
