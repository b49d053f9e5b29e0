#pragma once
// The stress of a frame as fields of files that hold all cells.

#include "brio/mesh/formats/grid.hpp"
#include "brio/output/frames/frame.hpp"

namespace brio {

class StressFields {
 public:
  /// Of `cells` cells, of which the tetrahedra come first; the others have no stress. A frame without stress, as one of
  /// bodies without tetrahedra, has zero everywhere. The frame must outlive this.
  StressFields(const Frame& frame, Index cells);

  const std::vector<PointField>& at_vertices() const { return at_vertices_; }
  const std::vector<PointField>& at_cells() const { return at_cells_; }

 private:
  StressValues no_vertices_, cells_;
  std::vector<PointField> at_vertices_, at_cells_;
};

}  // namespace brio
