#include "brio/mesh/embedding.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/quadratic.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace brio {
namespace {

using Corners = std::array<Vec3, 4>;

double squared_distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double t = d.squaredNorm() > 0 ? std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
  return (p - a - t * d).squaredNorm();
}

double squared_distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const auto beside = [&](const Vec3& from, const Vec3& to) { return (to - from).cross(p - from).dot(n) < 0; };
  if (n.squaredNorm() > 0 && !beside(a, b) && !beside(b, c) && !beside(c, a)) {
    const double height = (p - a).dot(n);
    return height * height / n.squaredNorm();
  }
  return std::min({squared_distance_to_segment(p, a, b), squared_distance_to_segment(p, b, c),
                   squared_distance_to_segment(p, c, a)});
}

Eigen::Vector4d barycentric(const Vec3& p, const Corners& x) {
  Mat3 edges;
  edges << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  const Vec3 w = edges.inverse() * (p - x[0]);
  return {1 - w.sum(), w[0], w[1], w[2]};
}

double squared_distance(const Vec3& p, const Corners& x) {
  if ((barycentric(p, x).array() >= 0).all()) return 0;
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& f : kFaces) nearest = std::min(nearest, squared_distance_to_triangle(p, x[f[0]], x[f[1]], x[f[2]]));
  return nearest;
}

/// A tree of boxes around the tetrahedra, halved along their longest side; leaves hold a few.
class BoxTree {
 public:
  explicit BoxTree(const TetMesh& mesh) : mesh_(mesh), order_(mesh.tets()) {
    std::iota(order_.begin(), order_.end(), 0);
    center_.resize(mesh.tets(), 3);
    for (int t = 0; t < mesh.tets(); ++t) {
      const Corners x = corners(t);
      center_.row(t) = (x[0] + x[1] + x[2] + x[3]).transpose() / 4;
    }
    build(0, mesh.tets());
  }

  Corners corners(int tet) const {
    Corners x;
    for (int c = 0; c < 4; ++c) x[c] = mesh_.X.row(mesh_.T(tet, c));
    return x;
  }

  struct Nearest {
    int tet = -1;
    double squared_distance = std::numeric_limits<double>::infinity();
  };
  /// The first one found of those at the least distance; the same for the same mesh.
  Nearest nearest(const Vec3& p) const {
    Nearest best;
    search(0, p, best);
    return best;
  }

 private:
  static constexpr int kLeaf = 4;

  struct Node {
    Eigen::AlignedBox3d box;
    int begin, end;  // in order_
    int left = -1, right = -1;
  };

  int build(int begin, int end) {
    const int number = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, begin, end});
    Eigen::AlignedBox3d box, centers;
    for (int i = begin; i < end; ++i) {
      for (const Vec3& x : corners(order_[i])) box.extend(x);
      centers.extend(Vec3(center_.row(order_[i])));
    }
    nodes_[number].box = box;
    if (end - begin > kLeaf) {
      Index axis;
      centers.sizes().maxCoeff(&axis);
      const int middle = (begin + end) / 2;
      std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                       [&](int a, int b) { return std::pair(center_(a, axis), a) < std::pair(center_(b, axis), b); });
      const int left = build(begin, middle), right = build(middle, end);
      nodes_[number].left = left;
      nodes_[number].right = right;
    }
    return number;
  }

  void search(int number, const Vec3& p, Nearest& best) const {
    const Node& node = nodes_[number];
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) {
        const double d = squared_distance(p, corners(order_[i]));
        if (d < best.squared_distance) best = {order_[i], d};
      }
      return;
    }
    const auto distance = [&](int child) { return nodes_[child].box.squaredExteriorDistance(p); };
    std::array children{node.left, node.right};
    if (distance(children[1]) < distance(children[0])) std::swap(children[0], children[1]);
    for (int child : children)
      if (distance(child) < best.squared_distance) search(child, p, best);
  }

  const TetMesh& mesh_;
  std::vector<int> order_;
  MatrixX3d center_;
  std::vector<Node> nodes_;
};

}  // namespace

Embedding embed(const TetMesh& mesh, const MatrixX3d& points) {
  if (mesh.order() == 2) return embed(split_tets(mesh), points);
  if (mesh.tets() == 0) throw Error("a surface can only be carried by a mesh with tetrahedra");
  const BoxTree tree(mesh);
  Embedding embedding;
  embedding.corners.resize(points.rows(), 4);
  embedding.weights.resize(points.rows(), 4);
  for (Index i = 0; i < points.rows(); ++i) {
    const Vec3 p = points.row(i);
    if (!p.allFinite()) throw Error("point {} of the surface is at ({}, {}, {}): must be finite", i, p[0], p[1], p[2]);
    const BoxTree::Nearest found = tree.nearest(p);
    if (found.tet < 0) throw Error("point {} of the surface is too far from the mesh", i);
    embedding.corners.row(i) = mesh.T.row(found.tet);
    embedding.weights.row(i) = barycentric(p, tree.corners(found.tet));
    if (found.squared_distance > 0) {
      ++embedding.outside;
      embedding.farthest = std::max(embedding.farthest, std::sqrt(found.squared_distance));
    }
  }
  return embedding;
}

MatrixX3d Embedding::carry(const MatrixX3d& values) const {
  MatrixX3d carried(points(), 3);
  for (int i = 0; i < points(); ++i) {
    Eigen::RowVector3d row = Eigen::RowVector3d::Zero();
    for (int c = 0; c < 4; ++c) row += weights(i, c) * values.row(corners(i, c));
    carried.row(i) = row;
  }
  return carried;
}

VectorXd Embedding::carry(const VectorXd& values) const {
  VectorXd carried(points());
  for (int i = 0; i < points(); ++i) {
    double sum = 0;
    for (int c = 0; c < 4; ++c) sum += weights(i, c) * values[corners(i, c)];
    carried[i] = sum;
  }
  return carried;
}

}  // namespace brio
