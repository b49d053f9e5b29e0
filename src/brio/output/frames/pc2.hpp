#pragma once
// PC2 point cache: float32 positions of every frame in one file, for the mesh that is written beside it. Layout: the
// twelve bytes "POINTCACHE2\0", int32 version 1, int32 points, float32 first frame, float32 frames per sample, int32
// samples; then samples x points x 3 float32.

#include "brio/core/file.hpp"
#include "brio/output/frames/drawn_part.hpp"

#include <optional>

namespace brio {

/// Writes folder/surface.pc2 and folder/surface.obj (the first frame). The count of samples follows the samples.
class Pc2Writer : public FrameWriter, public ResumableFrames {
 public:
  Pc2Writer(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  void write_count();

  std::filesystem::path folder_;
  int vertices_;
  DrawnPart part_;
  std::optional<OutputFile> file_;
  std::int32_t samples_ = 0;
};

}  // namespace brio
