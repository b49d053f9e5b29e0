#pragma once
// The whole trajectory for NumPy, in double precision.

#include "brio/output/frames/frame.hpp"
#include "brio/output/frames/npy.hpp"

namespace brio {

/// Writes folder/trajectory.npz with the arrays times (frames), positions and velocities (frames x vertices x 3),
/// strain (frames x vertices), tets, region, triangles and edges; where bodies have names also body (of each vertex)
/// and body_names. Each array is a file of its own, valid after every frame, until finish() puts them together.
class NpzWriter : public FrameWriter, public ResumableFrames {
 public:
  NpzWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  void finish() override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  /// With so many frames in the files; 0 begins new ones.
  void open_files(Index frames);

  std::filesystem::path folder_;
  BodyTopology body_;
  std::vector<std::unique_ptr<NpyFile>> arrays_;  ///< times, positions, velocities, strain …; none before the first frame
  std::vector<std::filesystem::path> constant_;   ///< files with what stays the same
};

}  // namespace brio
