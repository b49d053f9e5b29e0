#pragma once
// What hangs together: the pieces that a system's vertices fall into.

#include "brio/mesh/union_find.hpp"

#include <utility>
#include <vector>

namespace brio {

class ConnectedPieces {
 public:
  explicit ConnectedPieces(int vertices) : sets_(vertices), vertices_(vertices) {}

  void join(const std::vector<std::pair<int, int>>& couplings);

  /// Puts the points (point i is vertex points[i]) into lists, one for each piece: those of pieces with a vertex among
  /// `held`, which is supported or attached to a place, and of those that are free.
  void sort(const std::vector<int>& points, const std::vector<int>& held, std::vector<std::vector<int>>& free_pieces,
            std::vector<std::vector<int>>& held_pieces);

 private:
  UnionFind sets_;
  int vertices_;
};

}  // namespace brio
