#pragma once
// VTK's XML format for unstructured grids with raw appended data, and the PVD collection that gives each file its
// time.

#include "brio/core/file.hpp"
#include "brio/output/frames/frame.hpp"

namespace brio {

/// Writes folder/frames.pvd and folder/frame_000000.vtu and so on, with the cells of grid_cells.
class VtuWriter : public FrameWriter {
 public:
  VtuWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  bool set_topology(const BodyTopology& body) override;

 private:
  std::filesystem::path folder_;
  int vertices_;
  std::vector<GridCells> cells_;
  std::vector<int> body_;  ///< of each vertex; empty without names
  std::unique_ptr<OutputFile> collection_;
  long collection_end_;  ///< where the next row of the collection goes, over the closing tags
  int frames_ = 0;
};

}  // namespace brio
