#pragma once
// Frames written by all ranks at once: each writes the cells that it counts as a VTU file, and the first one a PVTU file
// that names the pieces and the PVD collection of those. With one rank there is one piece.

#include "brio/output/frames/frame.hpp"
#include "brio/output/frames/frame_sequence.hpp"
#include "brio/output/frames/pvd_collection.hpp"

namespace brio {

/// Writes folder/frames.pvd, folder/frame_000000.pvtu, its pieces folder/frame_000000.0.vtu … and so on.
class PvtuWriter : public FrameWriter, public ResumableFrames {
 public:
  PvtuWriter(const std::filesystem::path& folder, const BodyTopology& body);
  /// All ranks call it together.
  void write(const Frame& frame) override;
  bool set_topology(const BodyTopology& body) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  std::filesystem::path folder_;
  BodyTopology body_;
  std::vector<GridCells> piece_;  ///< cells of this rank, with vertices as numbered in `vertices_`
  std::vector<int> vertices_;     ///< those of the piece
  std::vector<int> cells_;        ///< those of the piece, among all
  size_t all_cells_ = 0;
  PvdCollection collection_;
  FrameSequence files_;
};

}  // namespace brio
