#pragma once
// MDD point cache of LightWave, which Blender reads: all numbers big-endian; int32 frames, int32 points, float32 time
// of every frame [s]; then frames x points x 3 float32.

#include "brio/core/file.hpp"
#include "brio/output/frames/drawn_part.hpp"

#include <optional>

namespace brio {

/// Writes folder/surface.mdd and folder/surface.obj (the first frame). Since the times come before the points, these
/// wait in surface.points for finish().
class MddWriter : public FrameWriter, public ResumableFrames {
 public:
  MddWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  void finish() override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  std::filesystem::path folder_, waiting_;
  int vertices_;
  DrawnPart part_;
  std::optional<OutputFile> points_;
  std::vector<float> times_;  ///< [s]
};

}  // namespace brio
