#pragma once
// Stanford PLY: one binary file per frame with the drawn part of the body, its velocity and its strain,
// and the number of the body where bodies have names.

#include "brio/output/frames/drawn_part.hpp"
#include "brio/output/frames/frame_sequence.hpp"

namespace brio {

/// Writes folder/frame_000000.ply and so on.
class PlyWriter : public FrameWriter, public ResumableFrames {
 public:
  PlyWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override { archive(files_); }

 private:
  std::filesystem::path folder_;
  int vertices_;
  DrawnPart part_;
  std::string head_;   ///< up to "end_header"
  std::string cells_;  ///< faces or edges: what follows the vertices in every file
  FrameSequence files_;
};

}  // namespace brio
