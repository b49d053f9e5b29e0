#include "brio/mesh/stuffing/stuffing_stencils.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <utility>

namespace brio {
namespace {

using Pieces = std::vector<std::array<int, 4>>;

/// A face with two corners inside is cut to a quadrilateral u, v and the cuts on the edges from both to `out`. True
/// if its diagonal starts at u, false if at v. It ends on the longer one of the cut edges; in the uniform lattice,
/// where both are short, u-v is long, and the even end is chosen ([Labelle and Shewchuk 2007]). Lengths and ranks are
/// known to both tetrahedra of the face, and order the edges at `out`, so that no three diagonals go round a prism.
bool diagonal_at_first(const CutTet& tet, int u, int v, int out) {
  if (tet.length[u][out] != tet.length[v][out]) return tet.length[u][out] < tet.length[v][out];
  return tet.rank[u] < tet.rank[v];
}

/// The prism between the triangles a and b, where tet(a0, a1, a2, b0) is positive. `from_a[i]`: the diagonal of the
/// side between i and i + 1 starts at a[i], otherwise at a[i + 1]; not all three may be the same.
void add_prism(const std::array<int, 3>& a, const std::array<int, 3>& b, const std::array<bool, 3>& from_a,
               Pieces& pieces) {
  int i = 0;  // the corner at which two diagonals meet
  while (!(from_a[i] && !from_a[(i + 2) % 3])) ++i;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  pieces.push_back({a[i], b[i], b[j], b[k]});
  if (from_a[j]) {
    pieces.push_back({a[i], a[j], a[k], b[k]});
    pieces.push_back({a[i], a[j], b[k], b[j]});
  } else {
    pieces.push_back({a[i], a[j], a[k], b[j]});
    pieces.push_back({a[i], a[k], b[k], b[j]});
  }
}

/// Of the least dihedral angle of a tetrahedron.
double greatest_cosine(const MatrixX3d& X, const std::array<int, 4>& tet) {
  std::array<Vec3, 4> normal;  // of the face across from each corner, all outwards or all inwards
  for (int i = 0; i < 4; ++i) {
    const Vec3 a = X.row(tet[(i + 1) % 4]), b = X.row(tet[(i + 2) % 4]), c = X.row(tet[(i + 3) % 4]);
    normal[i] = (i % 2 ? -1 : 1) * (b - a).cross(c - a).normalized();
  }
  double greatest = -1;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) greatest = std::max(greatest, -normal[i].dot(normal[j]));
  return greatest;
}

bool has_better_angles(const MatrixX3d& X, const Pieces& first, const Pieces& second) {
  double of_first = -1, of_second = -1;
  for (const auto& tet : first) of_first = std::max(of_first, greatest_cosine(X, tet));
  for (const auto& tet : second) of_second = std::max(of_second, greatest_cosine(X, tet));
  return of_first <= of_second;
}

bool is_even_order(const std::array<int, 4>& order) {
  int swaps = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) swaps += order[i] > order[j];
  return swaps % 2 == 0;
}

}  // namespace

void add_pieces(const CutTet& tet, const MatrixX3d& X, Pieces& pieces) {
  // The corners with those inside first, then those outside, then those on the surface; an even permutation, which
  // keeps the volume positive.
  std::array<int, 4> order;
  int count = 0;
  for (int side : {-1, 1, 0})
    for (int i = 0; i < 4; ++i)
      if (tet.side[i] == side) order[count++] = i;
  int inside = 0, outside = 0;
  for (int side : tet.side) inside += side<0, outside += side> 0;
  if (inside == 0) return;
  if (!is_even_order(order)) {  // exchange two of a kind
    if (inside >= 2)
      std::swap(order[0], order[1]);
    else if (outside >= 2)
      std::swap(order[1], order[2]);
    else
      std::swap(order[2], order[3]);
  }
  const int p = order[0], q = order[1], r = order[2], s = order[3];
  const auto vertex = [&](int i) { return tet.vertex[i]; };
  const auto cut = [&](int i, int j) { return tet.cut[i][j]; };

  if (outside == 0) {
    pieces.push_back(tet.vertex);
  } else if (inside == 1) {
    const auto end = [&](int i) { return tet.side[i] > 0 ? cut(p, i) : vertex(i); };
    pieces.push_back({vertex(p), end(q), end(r), end(s)});
  } else if (inside == 2 && outside == 1) {  // r is outside, s on the surface: a pyramid
    const int pr = cut(p, r), qr = cut(q, r);
    if (diagonal_at_first(tet, p, q, r)) {
      pieces.push_back({vertex(p), vertex(q), qr, vertex(s)});
      pieces.push_back({vertex(p), qr, pr, vertex(s)});
    } else {
      pieces.push_back({vertex(p), vertex(q), pr, vertex(s)});
      pieces.push_back({vertex(q), qr, pr, vertex(s)});
    }
  } else if (inside == 2) {
    const bool at_p = diagonal_at_first(tet, p, q, r), at_q = !diagonal_at_first(tet, p, q, s);
    const std::array<int, 3> at_one{vertex(p), cut(p, r), cut(p, s)}, at_other{vertex(q), cut(q, r), cut(q, s)};
    // The third side is the surface itself. Where both diagonals leave the same corner it may be divided either way.
    Pieces first;
    add_prism(at_one, at_other, {at_p, !at_q, at_q}, first);
    if (at_p != at_q) {
      Pieces second;
      add_prism(at_one, at_other, {at_p, at_q, at_q}, second);
      if (!has_better_angles(X, first, second)) first = second;
    }
    pieces.insert(pieces.end(), first.begin(), first.end());
  } else {
    // The outside corner comes fourth and is moved to the front: (s, p, r, q) is even when (p, q, r, s) is.
    const std::array<int, 3> corner{p, r, q};
    std::array<int, 3> near, far;
    std::array<bool, 3> from_near;
    for (int i = 0; i < 3; ++i) {
      near[i] = cut(s, corner[i]), far[i] = vertex(corner[i]);
      from_near[i] = !diagonal_at_first(tet, corner[i], corner[(i + 1) % 3], s);
    }
    add_prism(near, far, from_near, pieces);
  }
}

}  // namespace brio
