#pragma once
// The part of a body that can be seen: its triangles (or, without any, its edges) and the vertices that they use.

#include "brio/output/frame.hpp"

namespace brio {

struct DrawnPart {
  std::vector<int> vertices;  ///< of the body, increasing
  MatrixX3i triangles;        ///< indices into `vertices`
  MatrixX2i edges;            ///< indices into `vertices`; empty when there are triangles

  /// Checks the topology. A body without triangles and edges is drawn as all its vertices.
  explicit DrawnPart(const BodyTopology& body);

  /// The rows of all vertices that belong to the part, as float32.
  std::vector<float> gather(const MatrixX3d& all) const;
};

}  // namespace brio
