#include "brio/system/connected_pieces.hpp"

namespace brio {

void ConnectedPieces::join(const std::vector<std::pair<int, int>>& couplings) {
  for (const auto& [i, j] : couplings) sets_.join(i, j);
}

void ConnectedPieces::sort(const std::vector<int>& points, const std::vector<int>& held,
                  std::vector<std::vector<int>>& free_pieces, std::vector<std::vector<int>>& held_pieces) {
  std::vector<char> is_held(vertices_, 0);
  for (const int v : held) is_held[sets_.representative(v)] = 1;
  constexpr int kNone = -1;
  std::vector<int> piece(vertices_, kNone);
  for (size_t i = 0; i < points.size(); ++i) {
    const int of = sets_.representative(points[i]);
    auto& pieces = is_held[of] ? held_pieces : free_pieces;
    if (piece[of] == kNone) {
      piece[of] = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    pieces[piece[of]].push_back(static_cast<int>(i));
  }
}

}  // namespace brio
