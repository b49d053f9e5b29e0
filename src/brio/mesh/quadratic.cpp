#include "brio/mesh/quadratic.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brio {
namespace {

/// The edge between two corners.
constexpr int kEdgeBetween[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

struct MeshEdge {
  int a, b;       // vertices, a < b
  int tet, edge;  // where it was found
  bool operator<(const MeshEdge& o) const { return std::tie(a, b, tet, edge) < std::tie(o.a, o.b, o.tet, o.edge); }
  bool joins(const MeshEdge& o) const { return a == o.a && b == o.b; }
};

/// The edges of all tetrahedra, those between the same vertices one after the other.
std::vector<MeshEdge> sorted_edges(const MatrixX4i& T) {
  std::vector<MeshEdge> edges;
  edges.reserve(6 * static_cast<size_t>(T.rows()));
  for (int t = 0; t < T.rows(); ++t)
    for (int e = 0; e < 6; ++e) {
      const auto [a, b] = std::minmax(T(t, kEdgeCorners[e][0]), T(t, kEdgeCorners[e][1]));
      edges.push_back({a, b, t, e});
    }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// The ten vertices of an element, corners first.
std::array<int, 10> nodes_of(const TetMesh& mesh, int tet) {
  std::array<int, 10> nodes;
  for (int c = 0; c < 4; ++c) nodes[c] = mesh.T(tet, c);
  for (int e = 0; e < 6; ++e) nodes[4 + e] = mesh.mid(tet, e);
  return nodes;
}

using Barycentric = Eigen::Vector4d;

/// Derivatives of the position by L_0, L_1 and L_2, where L_3 = 1 - L_0 - L_1 - L_2.
class ElementMap {
 public:
  ElementMap(const TetMesh& mesh, int tet) {
    const std::array<int, 10> nodes = nodes_of(mesh, tet);
    for (int a = 0; a < 10; ++a) x_[a] = mesh.X.row(nodes[a]);
  }

  double determinant(const Barycentric& L) const {
    Vec3 by[4];
    for (int c = 0; c < 4; ++c) {
      by[c] = (4 * L[c] - 1) * x_[c];
      for (int d = 0; d < 4; ++d)
        if (d != c) by[c] += 4 * L[d] * x_[4 + kEdgeBetween[c][d]];
    }
    return -(by[0] - by[3]).cross(by[1] - by[3]).dot(by[2] - by[3]);
  }

 private:
  Vec3 x_[10];
};

// The determinant is a cubic polynomial of L. Its values at the 20 points of a cubic lattice determine it, and so its
// Bernstein coefficients, between whose extremes it lies (Johnen, Remacle, Geuzaine 2013).
constexpr int kCubic = 20;

struct CubicLattice {
  std::array<Barycentric, kCubic> point;
  Eigen::Matrix<double, kCubic, kCubic> to_bernstein;

  CubicLattice() {
    std::array<std::array<int, 4>, kCubic> power;
    int n = 0;
    for (int i = 0; i <= 3; ++i)
      for (int j = 0; i + j <= 3; ++j)
        for (int k = 0; i + j + k <= 3; ++k) {
          power[n] = {i, j, k, 3 - i - j - k};
          point[n++] = Barycentric(i, j, k, 3 - i - j - k) / 3;
        }
    Eigen::Matrix<double, kCubic, kCubic> values;
    constexpr double factorial[] = {1, 1, 2, 6};
    for (int p = 0; p < kCubic; ++p)
      for (int b = 0; b < kCubic; ++b) {
        values(p, b) = 6;
        for (int c = 0; c < 4; ++c) values(p, b) *= std::pow(point[p][c], power[b][c]) / factorial[power[b][c]];
      }
    to_bernstein = values.inverse();
  }
};

const CubicLattice& cubic_lattice() {
  static const CubicLattice lattice;
  return lattice;
}

/// Eight tetrahedra in the numbers of the ten nodes: four at the corners, four around the line between the nodes of
/// edges 02 and 13 in the octahedron that is left.
constexpr int kSplitTets[8][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3},
                                  {4, 5, 6, 8}, {4, 7, 5, 8}, {5, 9, 6, 8}, {5, 7, 9, 8}};

/// The least of the determinant in the tetrahedron between four points, from below; `depth` times it may be divided.
double least_determinant(const ElementMap& map, const std::array<Barycentric, 4>& corner, double sound, int depth) {
  const CubicLattice& lattice = cubic_lattice();
  Eigen::Matrix<double, kCubic, 1> values;
  for (int p = 0; p < kCubic; ++p) {
    Barycentric L = Barycentric::Zero();
    for (int c = 0; c < 4; ++c) L += lattice.point[p][c] * corner[c];
    values[p] = map.determinant(L);
  }
  const double bound = (lattice.to_bernstein * values).minCoeff();
  if (bound > sound || values.minCoeff() <= 0 || depth == 0) return std::min(bound, values.minCoeff());
  std::array<Barycentric, 10> node;
  for (int c = 0; c < 4; ++c) node[c] = corner[c];
  for (int e = 0; e < 6; ++e) node[4 + e] = 0.5 * (corner[kEdgeCorners[e][0]] + corner[kEdgeCorners[e][1]]);
  double least = values.minCoeff();
  for (const auto& part : kSplitTets)
    least = std::min(
        least, least_determinant(map, {node[part[0]], node[part[1]], node[part[2]], node[part[3]]}, sound, depth - 1));
  return least;
}

}  // namespace

void make_quadratic(TetMesh& mesh) {
  if (mesh.order() == 2) return;
  const std::vector<MeshEdge> edges = sorted_edges(mesh.T);
  const Index old = mesh.X.rows();
  MatrixX3d middle(static_cast<Index>(edges.size()), 3);
  mesh.mid.resize(mesh.tets(), 6);
  Index count = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (i == 0 || !edges[i].joins(edges[i - 1]))
      middle.row(count++) = 0.5 * (mesh.X.row(edges[i].a) + mesh.X.row(edges[i].b));
    mesh.mid(edges[i].tet, edges[i].edge) = static_cast<int>(old + count - 1);
  }
  mesh.X.conservativeResize(old + count, 3);
  mesh.X.bottomRows(count) = middle.topRows(count);
}

std::vector<int> make_linear(TetMesh& mesh) {
  std::vector<int> number(mesh.vertices(), mesh.order() == 2 ? -1 : 0), kept;
  for (int vertex : mesh.T.reshaped()) number[vertex] = 0;
  for (int v = 0; v < mesh.vertices(); ++v)
    if (number[v] == 0) number[v] = static_cast<int>(kept.size()), kept.push_back(v);
  mesh.X = MatrixX3d(mesh.X(kept, Eigen::all));
  for (int& vertex : mesh.T.reshaped()) vertex = number[vertex];
  mesh.mid.resize(0, 6);
  return number;
}

std::vector<int> with_mid_vertices(const TetMesh& mesh, const std::vector<int>& set) {
  std::vector<char> inside(mesh.vertices(), 0);
  for (int v : set) inside[v] = 1;
  std::vector<int> all = set;
  for (int t = 0; t < static_cast<int>(mesh.mid.rows()); ++t)
    for (int e = 0; e < 6; ++e)
      if (inside[mesh.T(t, kEdgeCorners[e][0])] && inside[mesh.T(t, kEdgeCorners[e][1])]) all.push_back(mesh.mid(t, e));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TetMesh split_tets(const TetMesh& mesh) {
  if (mesh.order() == 1) return mesh;
  const Index m = mesh.tets();
  TetMesh split{mesh.X, MatrixX4i(8 * m, 4), VectorXi(mesh.region.size() > 0 ? 8 * m : 0),
                MatrixX3d(mesh.fiber.rows() > 0 ? 8 * m : 0, 3)};
  for (int t = 0; t < m; ++t) {
    const std::array<int, 10> nodes = nodes_of(mesh, t);
    for (int part = 0; part < 8; ++part)
      for (int c = 0; c < 4; ++c) split.T(8 * t + part, c) = nodes[kSplitTets[part][c]];
    if (split.region.size() > 0) split.region.segment<8>(8 * t).setConstant(mesh.region[t]);
    if (split.fiber.rows() > 0) split.fiber.middleRows<8>(8 * t).rowwise() = mesh.fiber.row(t);
  }
  return split;
}

MatrixX3i split_faces(const TetMesh& mesh, const std::vector<FaceId>& faces) {
  MatrixX3i triangles(4 * static_cast<Index>(faces.size()), 3);
  Index row = 0;
  for (const FaceId face : faces) {
    const auto& [a, b, c] = kFaceCorners[face % 4];
    const int t = tet_of(face);
    const int ab = mesh.mid(t, kEdgeBetween[a][b]), bc = mesh.mid(t, kEdgeBetween[b][c]),
              ca = mesh.mid(t, kEdgeBetween[c][a]);
    triangles.row(row++) << mesh.T(t, a), ab, ca;
    triangles.row(row++) << mesh.T(t, b), bc, ab;
    triangles.row(row++) << mesh.T(t, c), ca, bc;
    triangles.row(row++) << ab, bc, ca;
  }
  return triangles;
}

double element_volume(const TetMesh& mesh, int tet) {
  if (mesh.order() == 1) return tet_volume(mesh, tet);
  // Exact for cubic polynomials: the middle and four points (Zienkiewicz, Taylor, Zhu 2013, table 5.3).
  const ElementMap map(mesh, tet);
  double sum = -0.8 * map.determinant(Barycentric::Constant(0.25));
  for (int c = 0; c < 4; ++c) {
    Barycentric L = Barycentric::Constant(1.0 / 6);
    L[c] = 0.5;
    sum += 0.45 * map.determinant(L);
  }
  return sum / 6;
}

void add_lumped_mass(const TetMesh& mesh, int tet, double density, VectorXd& mass) {
  if (mesh.order() == 1) {
    for (int a = 0; a < 4; ++a) mass[mesh.T(tet, a)] += density * tet_volume(mesh, tet) / 4;
    return;
  }
  const double whole = density * element_volume(mesh, tet);
  for (int c = 0; c < 4; ++c) mass[mesh.T(tet, c)] += whole / 36;
  for (int e = 0; e < 6; ++e) mass[mesh.mid(tet, e)] += whole * 4 / 27;
}

void turn_round(TetMesh& mesh, int tet) {
  std::swap(mesh.T(tet, 2), mesh.T(tet, 3));
  if (mesh.order() == 1) return;
  std::swap(mesh.mid(tet, 1), mesh.mid(tet, 2));  // 02 and 03
  std::swap(mesh.mid(tet, 3), mesh.mid(tet, 4));  // 12 and 13
}

double least_jacobian(const TetMesh& mesh, int tet) {
  constexpr int kDivisions = 4;
  constexpr double kSound = 0.05;  // no closer look where the element is that far from a fold
  const double straight = 6 * tet_volume(mesh, tet);
  const ElementMap map(mesh, tet);
  const std::array<Barycentric, 4> corners = {Barycentric::Unit(0), Barycentric::Unit(1), Barycentric::Unit(2),
                                              Barycentric::Unit(3)};
  return least_determinant(map, corners, kSound * straight, kDivisions) / straight;
}

void validate_edges(const TetMesh& mesh, const std::string& where) {
  if (mesh.order() == 1) return;
  for (int t = 0; t < mesh.tets(); ++t) {
    std::array<int, 10> nodes = nodes_of(mesh, t);
    std::sort(nodes.begin(), nodes.end());
    if (nodes[0] < 0 || nodes[9] >= mesh.vertices())
      throw Error("{}: {}: vertex {} on one of its edges; the mesh has vertices 0 to {}", where, tet_text(mesh, t),
                  nodes[0] < 0 ? nodes[0] : nodes[9], mesh.vertices() - 1);
    if (const auto twice = std::adjacent_find(nodes.begin(), nodes.end()); twice != nodes.end())
      throw Error("{}: {}: uses vertex {} twice among its corners and edges", where, tet_text(mesh, t), *twice);
  }
  const std::vector<MeshEdge> edges = sorted_edges(mesh.T);
  for (size_t i = 1; i < edges.size(); ++i) {
    const int one = mesh.mid(edges[i - 1].tet, edges[i - 1].edge), other = mesh.mid(edges[i].tet, edges[i].edge);
    if (edges[i].joins(edges[i - 1]) && one != other)
      throw Error("{}: {}: the edge between vertices {} and {} has vertex {} in its middle, but vertex {} in "
                  "tetrahedron {}; are the nodes in the order of the format?",
                  where, tet_text(mesh, edges[i].tet), edges[i].a, edges[i].b, other, one, edges[i - 1].tet);
  }
}

void refuse_folds(const TetMesh& mesh, const std::string& where) {
  if (mesh.order() == 1) return;
  for (int t = 0; t < mesh.tets(); ++t)
    if (const double least = least_jacobian(mesh, t); !(least > 0))
      throw Error("{}: {}: its curved sides fold it: the determinant of its map falls to {:.3g} of that between its "
                  "corners; move the vertices on its edges towards their middles, or take \"order\": 1",
                  where, tet_text(mesh, t), least);
}

}  // namespace brio
