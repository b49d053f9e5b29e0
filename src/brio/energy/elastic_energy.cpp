#include "brio/energy/elastic_energy.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace brio {
namespace {

struct LocalPair {
  int a, b;
};
constexpr LocalPair kBlocks[10] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// In place: blocks 00 11 22 01 02 12 of the first three vertices become all ten in the order of kBlocks. The shape
/// functions add up to one, so the rows of the element matrix add up to zero.
void complete_blocks(const M3<Pack> (&K)[6], const Pack& scale, M3<Pack> (&all)[10]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Pack k00 = scale * K[0](i, j), k11 = scale * K[1](i, j), k22 = scale * K[2](i, j);
      const Pack k01 = scale * K[3](i, j), k02 = scale * K[4](i, j), k12 = scale * K[5](i, j);
      const Pack k10 = scale * K[3](j, i), k20 = scale * K[4](j, i), k21 = scale * K[5](j, i);
      const Pack k03 = -(k00 + k01 + k02), k13 = -(k10 + k11 + k12), k23 = -(k20 + k21 + k22);
      all[0](i, j) = k00, all[1](i, j) = k11, all[2](i, j) = k22, all[3](i, j) = -(k03 + k13 + k23);
      all[4](i, j) = k01, all[5](i, j) = k02, all[6](i, j) = k03;
      all[7](i, j) = k12, all[8](i, j) = k13, all[9](i, j) = k23;
    }
  }
}

M3<Pack> deformation_gradient(const LinearTets::Batch& batch, const double* positions) {
  const V3<Pack> corner[4] = {load_vertices(positions, batch.vertex[0]), load_vertices(positions, batch.vertex[1]),
                              load_vertices(positions, batch.vertex[2]), load_vertices(positions, batch.vertex[3])};
  M3<Pack> F;
  for (int i = 0; i < 3; ++i) {
    const Pack d0 = corner[0][i] - corner[3][i], d1 = corner[1][i] - corner[3][i], d2 = corner[2][i] - corner[3][i];
    for (int j = 0; j < 3; ++j) F(i, j) = d0 * batch.g[0][j] + d1 * batch.g[1][j] + d2 * batch.g[2][j];
  }
  return F;
}

/// Before the law is evaluated, which takes as long as they are on their way.
BRIO_INLINE void fetch_blocks(const LinearTets::Place& place, const BlockMatrix& hessian) {
  for (const auto& slot : place.slot)
    for (int half = 0; half < 2; ++half) fetch_four_blocks(slot + 4 * half, hessian.block(0));
}

void add_blocks(const LinearTets::Place& place, const M3<Pack> (&K)[6], const Pack& volume, BlockMatrix& hessian) {
  M3<Pack> all[10];
  complete_blocks(K, volume, all);
  for (int k = 0; k < 10; ++k)
    for (int half = 0; half < 2; ++half) {
      detail::Quad entry[9];
      for (int ij = 0; ij < 9; ++ij) entry[ij] = detail::quad_of(all[k](ij / 3, ij % 3), half);
      add_four_blocks(entry, place.slot[k] + 4 * half, hessian.block(0));
    }
}

}  // namespace

ElasticEnergy::ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex) {
  validate(mesh);
  if (mesh.order() != 1) throw Error("the mesh is quadratic; make_solid_energy() takes meshes of either order");
  add_parts(mesh, parts, first_vertex, [](const TetMesh& of, int e, int lane, double factor, Batch& batch) {
    const auto tet = of.T.row(e);
    Mat3 Dm;
    for (int a = 0; a < 3; ++a) Dm.col(a) = (of.X.row(tet[a]) - of.X.row(tet[3])).transpose();
    const double volume = std::fabs(Dm.determinant()) / 6;
    const Mat3 gradients = Dm.inverse();
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = gradients(a, i);
    batch.volume[lane] = factor * volume;
    return Nodes{tet[0], tet[1], tet[2], tet[3]};
  });
}

void ElasticEnergy::evaluate_batch(int b, const double* positions, const EnergyWant& want, Pack& energy,
                                   double* forces) const {
  const Batch& batch = batches_[b];
  if (want.hessian) fetch_blocks(places_[b], *want.hessian);
  ElementBatch in;
  in.F = deformation_gradient(batch, positions);
  in.fiber = fiber(b);
  if (want.hessian) std::copy_n(batch.g, 3, in.g);
  Pack psi;
  M3<Pack> P, K[6];
  material_[b]->evaluate(in, {.psi = want.value ? &psi : nullptr,
                              .P = want.gradient ? &P : nullptr,
                              .blocks = want.hessian ? K : nullptr,
                              .psd = want.psd});
  if (want.value) energy += psi * batch.volume;
  if (want.gradient) {
    V3<Pack> last{};
    for (int a = 0; a < 3; ++a) {
      V3<Pack> f = P * batch.g[a];
      for (int i = 0; i < 3; ++i) {
        f[i] *= batch.volume;
        last[i] -= f[i];
      }
      add_to_vertices(f, batch.vertex[a], forces);
    }
    add_to_vertices(last, batch.vertex[3], forces);
  }
  if (want.hessian) add_blocks(places_[b], K, batch.volume, *want.hessian);
}

Pack ElasticEnergy::least_determinant(const Batch& batch, const double* positions) const {
  return determinant(deformation_gradient(batch, positions));
}

void ElasticEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for_each_element([&](int, int, const std::array<int, 4>& vertex) {
    for (const auto& [a, b] : kBlocks)
      if (a != b) pairs.emplace_back(vertex[a], vertex[b]);
  });
}

void ElasticEnergy::attach(const BlockLayout& layout) {
  for_each_element([&](int b, int lane, const std::array<int, 4>& vertex) {
    Batch& batch = batches_[b];
    struct Corner {
      int dof;
      VertexIndex vertex;
      Vec3 g;
    } corner[4];
    for (int a = 0; a < 4; ++a) corner[a] = {layout.dof[vertex[a]], batch.vertex[a][lane], Vec3::Zero()};
    for (int a = 0; a < 3; ++a) {
      corner[a].g << batch.g[a][0][lane], batch.g[a][1][lane], batch.g[a][2][lane];
      corner[3].g -= corner[a].g;
    }
    std::stable_sort(corner, corner + 4, [](const Corner& a, const Corner& b) { return a.dof > b.dof; });
    for (int a = 0; a < 4; ++a) batch.vertex[a][lane] = corner[a].vertex;
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = corner[a].g[i];
    for (int k = 0; k < 10; ++k) {
      const auto [a, c] = kBlocks[k];
      const bool free = corner[a].dof >= 0 && corner[c].dof >= 0;
      places_[b].slot[k][lane] = free ? layout.pattern->slot(corner[a].dof, corner[c].dof) : -1;
    }
  });
}

void ElasticEnergy::add_projective_weights(VectorXd& slot_values) const {
  for_each_element([&](int b, int lane, const std::array<int, 4>&) {
    const Batch& batch = batches_[b];
    const auto vector = [&](const V3<Pack>& v) { return Vec3(v[0][lane], v[1][lane], v[2][lane]); };
    const Vec3 along = vector(fiber(b));
    Vec3 g[4] = {vector(batch.g[0]), vector(batch.g[1]), vector(batch.g[2])};
    g[3] = -(g[0] + g[1] + g[2]);
    for (int k = 0; k < 10; ++k) {
      if (places_[b].slot[k][lane] < 0) continue;
      const auto [a, c] = kBlocks[k];
      slot_values[places_[b].slot[k][lane]] += batch.volume[lane] * material_[b]->projective_weight(g[a], g[c], along);
    }
  });
}

}  // namespace brio
