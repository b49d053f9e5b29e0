#include "brio/energy/quadratic_energy.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <limits>

namespace brio {
namespace {

using namespace quadratic;
using Point = QuadraticTets::Point;

/// Asks for memory that is read soon.
BRIO_INLINE void fetch_lines(const void* begin, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(begin) + at);
}

/// Columns dx/dL_c - dx/dL_3 at point q for nodes at x.
BRIO_INLINE void columns_at(const V3<Pack> (&x)[kNodes], const V3<Pack> (&around)[4], int q, V3<Pack> (&column)[3]) {
  V3<Pack> by[4];
  for (int c = 0; c < 4; ++c) {
    const double own = 4 * (c == q ? kNear : kFar) - 1;
    for (int i = 0; i < 3; ++i) {
      by[c][i] = own * x[c][i] + 4 * kFar * around[c][i];
      if (c != q) by[c][i] += 4 * kMore * x[kNodeBetween[c][q]][i];
    }
  }
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i) column[c][i] = by[c][i] - by[3][i];
}

/// The sum of the nodes on the three edges of each corner.
BRIO_INLINE void sum_around(const V3<Pack> (&x)[kNodes], V3<Pack> (&around)[4]) {
  for (int c = 0; c < 4; ++c)
    for (int i = 0; i < 3; ++i) {
      around[c][i] = Pack{};
      for (int d = 0; d < 4; ++d)
        if (d != c) around[c][i] += x[kNodeBetween[c][d]][i];
    }
}

BRIO_INLINE M3<Pack> gradient_at(const V3<Pack> (&x)[kNodes], const V3<Pack> (&around)[4], int q,
                                 const V3<Pack> (&g)[3]) {
  V3<Pack> column[3];
  columns_at(x, around, q, column);
  M3<Pack> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = column[0][i] * g[0][j] + column[1][i] * g[1][j] + column[2][i] * g[2][j];
  return F;
}

}  // namespace

QuadraticEnergy::QuadraticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex) {
  validate(mesh);
  if (mesh.order() != 2) throw Error("the mesh is linear; make_solid_energy() takes meshes of either order");
  add_parts(mesh, parts, first_vertex, [](const TetMesh& of, int e, int lane, double factor, Batch& batch) {
    Nodes node;
    std::array<Vec3, kNodes> X;
    for (int a = 0; a < kNodes; ++a) {
      node[a] = a < 4 ? of.T(e, a) : of.mid(e, a - 4);
      X[a] = of.X.row(node[a]);
    }
    for (int q = 0; q < kPoints; ++q) {
      Point& point = batch.point[q];
      const Mat3 columns = columns_at_point(X, q), gradients = columns.inverse();
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 3; ++i) point.g[c][i][lane] = gradients(c, i);
      const double volume = -columns.determinant() / (6 * kPoints);  // corner 3 is the origin of the columns
      point.volume[lane] = factor * volume;
    }
    return node;
  });
}

void QuadraticEnergy::evaluate_batch(int b, const double* positions, const EnergyWant& want, Pack& energy,
                                     double* forces) const {
  const Batch& batch = batches_[b];
  V3<Pack> x[kNodes], around[4];
  for (int a = 0; a < kNodes; ++a) x[a] = load_vertices(positions, batch.vertex[a]);
  sum_around(x, around);
  V3<Pack> f[kPoints][4];  // force against the columns dx/dL at each point
  QuadraticBlocks blocks;
  if (want.hessian) fetch_lines(&places_[b], sizeof(QuadraticPlace));
  if (b + 1 < static_cast<int>(batches_.size())) fetch_lines(&batches_[b + 1], sizeof(Batch));
  for (int q = 0; q < kPoints; ++q) {
    const Point& point = batch.point[q];
    if (want.hessian && q == kPoints - 1) QuadraticBlocks::fetch_first(places_[b], *want.hessian);
    ElementBatch in;
    in.F = gradient_at(x, around, q, point.g);
    in.fiber = fiber(b);
    if (want.hessian) std::copy_n(point.g, 3, in.g);
    Pack psi;
    M3<Pack> P;
    material_[b]->evaluate(in, {.psi = want.value ? &psi : nullptr,
                                .P = want.gradient ? &P : nullptr,
                                .blocks = want.hessian ? blocks.point(q).K : nullptr,
                                .psd = want.psd,
                                .closed_form = true});
    if (want.value) energy += psi * point.volume;
    if (want.gradient) {
      f[q][3] = {};
      for (int c = 0; c < 3; ++c) {
        f[q][c] = P * point.g[c];
        for (int i = 0; i < 3; ++i) {
          f[q][c][i] *= point.volume;
          f[q][3][i] -= f[q][c][i];
        }
      }
    }
    if (want.hessian) blocks.point(q).volume = point.volume;
  }
  if (want.gradient) {
    V3<Pack> sum[4];
    for (int c = 0; c < 4; ++c) {
      V3<Pack> at_corner;
      for (int i = 0; i < 3; ++i) {
        sum[c][i] = f[0][c][i] + f[1][c][i] + f[2][c][i] + f[3][c][i];
        at_corner[i] = (4 * kFar - 1) * sum[c][i] + 4 * kMore * f[c][c][i];
      }
      add_to_vertices(at_corner, batch.vertex[c], forces);
    }
    for (int e = 0; e < 6; ++e) {
      const int c = kNodeEdge[e][0], d = kNodeEdge[e][1];
      V3<Pack> on_edge;
      for (int i = 0; i < 3; ++i)
        on_edge[i] = 4 * kFar * (sum[c][i] + sum[d][i]) + 4 * kMore * (f[d][c][i] + f[c][d][i]);
      add_to_vertices(on_edge, batch.vertex[4 + e], forces);
    }
  }
  if (want.hessian) blocks.add_to(places_[b], *want.hessian);
}

Pack QuadraticEnergy::least_determinant(const Batch& batch, const double* positions) const {
  V3<Pack> x[kNodes], around[4];
  for (int a = 0; a < kNodes; ++a) x[a] = load_vertices(positions, batch.vertex[a]);
  sum_around(x, around);
  Pack least = splat(std::numeric_limits<double>::infinity());
  for (int q = 0; q < kPoints; ++q) least = min(least, determinant(gradient_at(x, around, q, batch.point[q].g)));
  return least;
}

void QuadraticEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for_each_element([&](int, int, const std::array<int, kNodes>& node) {
    for (const NodePair& pair : kNodePairs)
      if (pair.a != pair.b) pairs.emplace_back(node[pair.a], node[pair.b]);
  });
}

void QuadraticEnergy::attach(const BlockLayout& layout) {
  for_each_element([&](int b, int lane, const std::array<int, kNodes>& node) {
    for (int n = 0; n < kPairs; ++n) {
      const int row = layout.dof[node[kNodePairs[n].a]], column = layout.dof[node[kNodePairs[n].b]];
      QuadraticPlace& place = places_[b];
      place.slot[n][lane] = row >= 0 && column >= 0 ? layout.pattern->slot(row, column) : -1;
      const auto bit = static_cast<std::uint8_t>(1u << lane);
      place.flipped[n] = static_cast<std::uint8_t>(row < column ? place.flipped[n] | bit : place.flipped[n] & ~bit);
    }
  });
}

void QuadraticEnergy::add_projective_weights(VectorXd& slot_values) const {
  for_each_element([&](int b, int lane, const std::array<int, kNodes>&) {
    const auto vector = [&](const V3<Pack>& v) { return Vec3(v[0][lane], v[1][lane], v[2][lane]); };
    const Vec3 along = vector(fiber(b));
    for (int q = 0; q < kPoints; ++q) {
      const Point& point = batches_[b].point[q];
      Vec3 by[4] = {vector(point.g[0]), vector(point.g[1]), vector(point.g[2])};
      by[3] = -(by[0] + by[1] + by[2]);
      Vec3 g[kNodes];
      for (int a = 0; a < kNodes; ++a) {
        const NodeSlope slope = slope_of(a);
        g[a].setZero();
        for (int m = 0; m < slope.terms; ++m)
          g[a] += (slope.term[m].base + (slope.term[m].k == q ? 4 * kMore : 0)) * by[slope.term[m].c];
      }
      for (int n = 0; n < kPairs; ++n)
        if (const int slot = places_[b].slot[n][lane]; slot >= 0)
          slot_values[slot] +=
              point.volume[lane] * material_[b]->projective_weight(g[kNodePairs[n].a], g[kNodePairs[n].b], along);
    }
  });
}

}  // namespace brio
