#pragma once
// VTK's XML format for unstructured grids with raw appended data, and the PVD collection that gives each file its
// time.

#include "brio/core/file.hpp"
#include "brio/output/frames/frame.hpp"
#include "brio/output/frames/frame_sequence.hpp"

#include <optional>

namespace brio {

/// Writes folder/frames.pvd and folder/frame_000000.vtu and so on, with the cells of grid_cells.
class VtuWriter : public FrameWriter, public ResumableFrames {
 public:
  VtuWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  bool set_topology(const BodyTopology& body) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  void end_collection();

  std::filesystem::path folder_;
  bool stress_ = false;  ///< whether it is wanted
  int vertices_;
  std::vector<GridCells> cells_;
  std::vector<int> body_;  ///< of each vertex; empty without names
  std::optional<OutputFile> collection_;
  long collection_end_ = 0;  ///< where the next row of the collection goes, over the closing tags
  FrameSequence files_;
};

}  // namespace brio
