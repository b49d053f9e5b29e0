#pragma once
// Wavefront OBJ: one text file per frame with the drawn part of the bodies, a group for each that has a name.

#include "brio/output/frames/drawn_part.hpp"
#include "brio/output/frames/frame_sequence.hpp"

#include <filesystem>

namespace brio {

/// Writes folder/frame_000000.obj and so on.
class ObjWriter : public FrameWriter, public ResumableFrames {
 public:
  ObjWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override { archive(files_); }
  bool set_topology(const BodyTopology& body) override;

 private:
  std::filesystem::path folder_;
  int vertices_;
  DrawnPart part_;
  FrameSequence files_;
};

void write_obj(const std::filesystem::path& path, const DrawnPart& part, const MatrixX3d& x);

}  // namespace brio
