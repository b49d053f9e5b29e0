#pragma once
// VTK's XML format for unstructured grids with raw appended data, and the PVD collection that gives each file its
// time.

#include "brio/output/frames/frame.hpp"
#include "brio/output/frames/frame_sequence.hpp"
#include "brio/output/frames/pvd_collection.hpp"
#include "brio/output/frames/stress_fields.hpp"

#include <optional>

namespace brio {

/// The fields that files of grids have of a frame; valid as long as the frame.
class FrameFields {
 public:
  /// `body`: of each vertex, or empty; `stress`: whether it is wanted where the frame has it.
  FrameFields(const Frame& frame, const std::vector<int>& body, bool stress, size_t cells);
  FrameFields(const FrameFields&) = delete;
  FrameFields& operator=(const FrameFields&) = delete;

  std::vector<PointField> points, at_cells;

 private:
  std::optional<StressFields> stress_;
};

size_t count_cells(const std::vector<GridCells>& kinds);

/// Writes folder/frames.pvd and folder/frame_000000.vtu and so on, with the cells of grid_cells.
class VtuWriter : public FrameWriter, public ResumableFrames {
 public:
  VtuWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  bool set_topology(const BodyTopology& body) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  std::filesystem::path folder_;
  bool stress_ = false;  ///< whether it is wanted
  int vertices_;
  std::vector<GridCells> cells_;
  std::vector<int> body_;  ///< of each vertex; empty without names
  PvdCollection collection_;
  FrameSequence files_;
};

}  // namespace brio
