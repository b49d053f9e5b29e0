#pragma once
// Vertices divided among ranks: parts of about the same size with few elements between them. METIS divides small groups
// of neighbors (runs of a space-filling curve) rather than single vertices, which takes a tenth of the memory and time
// for borders that are hardly longer (docs/petsc.md has the numbers).

#include "brio/core/types.hpp"
#include "brio/mesh/union_find.hpp"

#include <utility>
#include <vector>

namespace brio {

class Partition {
 public:
  /// Of vertices at x into so many parts. Elements must be added, each once, before the rest is asked for.
  Partition(const MatrixX3d& x, int parts);

  void add_element(const int* vertices, int count);

  /// The part of each vertex. No part is empty; throws Error where there are fewer vertices than parts.
  std::vector<int> owners() const;

 private:
  void add_edge(int a, int b);

  int parts_;
  std::vector<int> group_;                                 ///< of each vertex
  std::vector<std::vector<std::pair<int, int>>> couplings_;  ///< of each group: to which, by how many elements
};

/// Which vertices hang together by elements, as pairs of a vertex and the first one of its piece.
class ConnectedVertices {
 public:
  explicit ConnectedVertices(int vertices) : sets_(vertices), vertices_(vertices) {}
  void add_element(const int* vertices, int count);
  std::vector<std::pair<int, int>> pairs();

 private:
  UnionFind sets_;
  int vertices_;
};

}  // namespace brio
