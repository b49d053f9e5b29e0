#pragma once
// The part of the bodies that can be seen: their triangles (of a body without any, its edges) and the vertices that
// they use; or the skin that they carry.

#include "brio/output/frames/frame.hpp"

namespace brio {

struct DrawnPart {
  std::vector<int> vertices;            ///< of the body or its skin, increasing
  MatrixX3i triangles;                  ///< indices into `vertices`
  MatrixX2i edges;                      ///< indices into `vertices`; of what has no triangles
  std::vector<int> node_region;         ///< of each of `vertices`, as BodyTopology has it; may be empty
  std::vector<std::string> body_names;  ///< as BodyTopology has them
  std::vector<int> body;                ///< of each of `vertices`, as BodyTopology has it; may be empty

  /// Checks the topology. A body without triangles and edges is drawn as all its vertices.
  explicit DrawnPart(const BodyTopology& body);

  std::shared_ptr<const Skin> skin;  ///< may be null

  /// The part's rows of something that all vertices of the body have.
  MatrixX3d rows(const MatrixX3d& all) const;
  VectorXd rows(const VectorXd& all) const;
  /// The same as float32.
  std::vector<float> gather(const MatrixX3d& all) const;
};

}  // namespace brio
