#pragma once
// Gmsh 2.2, binary: one file per frame with all cells of the bodies in their place, and velocity, strain,
// the number of the body and, where it is wanted, stress as views.

#include "brio/output/frames/frame.hpp"
#include "brio/output/frames/frame_sequence.hpp"

#include <string>

namespace brio {

/// Writes folder/frame_000000.msh and so on, with the cells of grid_cells; the region of a tetrahedron is its physical
/// group.
class MshWriter : public FrameWriter, public ResumableFrames {
 public:
  MshWriter(const std::filesystem::path& folder, const BodyTopology& body);
  void write(const Frame& frame) override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override { archive(files_); }

 private:
  std::filesystem::path folder_;
  int vertices_;
  bool stress_;
  Index cells_ = 0;
  std::string elements_;                  ///< the section that is the same in every file
  std::vector<int> body_, element_body_;  ///< of each vertex and element; empty without names
  FrameSequence files_;
};

}  // namespace brio
