#include "brio/energy/quadratic_energy.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/spatial_order.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

using namespace quadratic;
constexpr ElementPatches::Sizes kQuadraticSizes{.nodes = kNodes, .fewest_batches = 2, .most_batches = 16};

/// Three numbers for each vertex of a patch, in the stride of load_vertices().
struct QuadraticVertices {
  alignas(64) double at[kVertexStride * kQuadraticSizes.most_vertices()];
};

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
  check_parts(mesh, parts);
  std::vector<int> nodes;
  for (const ElasticPart& part : parts) {
    materials_.push_back(part.material);
    add_batches(mesh, part, nodes);
  }
  patches_ = ElementPatches(nodes, kQuadraticSizes, mesh.vertices(), first_vertex);
  patches_.number_locally(nodes, [&](int b) { return &batches_[b].vertex[0][0]; });
}

void QuadraticEnergy::add_batches(const TetMesh& mesh, const ElasticPart& part, std::vector<int>& nodes) {
  MatrixX3d center(part.tets.size(), 3);
  for (size_t i = 0; i < part.tets.size(); ++i) {
    const auto tet = mesh.T.row(part.tets[i]);
    center.row(i) = (mesh.X.row(tet[0]) + mesh.X.row(tet[1]) + mesh.X.row(tet[2]) + mesh.X.row(tet[3])) / 4;
  }
  const std::vector<int> order = spatial_order(center);
  for (size_t begin = 0; begin < order.size(); begin += kLanes) {
    const int count = static_cast<int>(std::min<size_t>(kLanes, order.size() - begin));
    Batch batch{};
    std::array<std::array<int, kLanes>, kNodes> node;
    V3<Pack> fiber{};
    for (int lane = 0; lane < kLanes; ++lane) {
      const int member = order[begin + (lane < count ? lane : 0)], e = part.tets[member];
      std::array<Vec3, kNodes> X;
      for (int a = 0; a < kNodes; ++a) {
        node[a][lane] = a < 4 ? mesh.T(e, a) : mesh.mid(e, a - 4);
        X[a] = mesh.X.row(node[a][lane]);
      }
      for (int q = 0; q < kPoints; ++q) {
        Point& point = batch.point[q];
        const Mat3 columns = columns_at_point(X, q), gradients = columns.inverse();
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i < 3; ++i) point.g[c][i][lane] = gradients(c, i);
        const double volume = -columns.determinant() / (6 * kPoints);  // corner 3 is the origin of the columns
        if (lane < count) point.volume[lane] = part.factor.empty() ? volume : part.factor[member] * volume;
      }
      if (mesh.fiber.rows() > e)
        for (int i = 0; i < 3; ++i) fiber[i][lane] = mesh.fiber(e, i);
    }
    batches_.push_back(batch);
    for (const auto& vertices : node) nodes.insert(nodes.end(), vertices.begin(), vertices.end());
    material_.push_back(part.material.get());
    QuadraticPlace place{};
    place.count = count;
    std::fill_n(&place.slot[0][0], kPairs * kLanes, -1);
    places_.push_back(place);
    if (mesh.fiber.rows() > 0) fibers_.push_back(fiber);
  }
}

template <class Body>
void QuadraticEnergy::for_each_element(const Body& body) const {
  for (const Patch& patch : patches_.patches()) {
    const std::span vertices = patches_.vertices_of(patch);
    for (int b = patch.batch_begin; b < patch.batch_end; ++b)
      for (int lane = 0; lane < places_[b].count; ++lane) {
        std::array<int, kNodes> node;
        for (int a = 0; a < kNodes; ++a) node[a] = vertices[batches_[b].vertex[a][lane]];
        body(b, lane, node);
      }
  }
}

void QuadraticEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  const auto room = scratch_.take();
  room->patch_energy.resize(patches_.patches().size());
  room->copy_force.resize(3 * patches_.copies());
  patches_.for_each(want.hessian != nullptr,
                    [&](int p) { room->patch_energy[p] = evaluate_patch(patches_.patches()[p], x, want, *room); });
  if (want.gradient) patches_.add_forces(room->copy_force, *want.gradient);
  if (want.value) *want.value += std::accumulate(room->patch_energy.begin(), room->patch_energy.end(), 0.0);
}

double QuadraticEnergy::evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want,
                                       Scratch& room) const {
  const std::span vertices = patches_.vertices_of(patch);
  QuadraticVertices positions, forces;
  fetch_lines(&batches_[patch.batch_begin], sizeof(Batch));
  copy_vertices(vertices, x, positions.at);
  if (want.gradient) std::fill_n(forces.at, kVertexStride * vertices.size(), 0.0);
  Pack energy{};
  for (int b = patch.batch_begin; b < patch.batch_end; ++b)
    evaluate_batch(b, positions.at, want, energy, want.gradient ? forces.at : nullptr);
  if (want.gradient) {
    double* to = room.copy_force.data() + 3 * static_cast<size_t>(patch.copy_begin);
    for (size_t k = 0; k < vertices.size(); ++k)
      for (int i = 0; i < 3; ++i) to[3 * k + i] = forces.at[kVertexStride * k + i];
  }
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += energy[lane];
  return sum;
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

ProjectiveFit QuadraticEnergy::projective_fit() const {
  ProjectiveFit worst;
  for (const auto& material : materials_) worst += material->projective_fit();
  return worst;
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

Determinants QuadraticEnergy::determinants(const VectorXd& x) const {
  std::vector<Determinants> found(patches_.patches().size());
  patches_.for_each(false, [&](int p) {
    const Patch& patch = patches_.patches()[p];
    QuadraticVertices positions;
    copy_vertices(patches_.vertices_of(patch), x, positions.at);
    for (int b = patch.batch_begin; b < patch.batch_end; ++b) {
      V3<Pack> at[kNodes], around[4];
      for (int a = 0; a < kNodes; ++a) at[a] = load_vertices(positions.at, batches_[b].vertex[a]);
      sum_around(at, around);
      Pack least = splat(std::numeric_limits<double>::infinity());
      for (int q = 0; q < kPoints; ++q)
        least = min(least, determinant(gradient_at(at, around, q, batches_[b].point[q].g)));
      for (int lane = 0; lane < places_[b].count; ++lane) {
        found[p].smallest = std::min(found[p].smallest, least[lane]);
        found[p].inverted += least[lane] <= 0 ? 1 : 0;
      }
    }
  });
  Determinants all;
  for (const Determinants& part : found) all += part;
  return all;
}

}  // namespace brio
