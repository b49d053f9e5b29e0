#include "brio/energy/elastic_energy.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/spatial_order.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <limits>
#include <numeric>

namespace brio {
namespace {

constexpr ElementPatches::Sizes kLinearSizes{.nodes = 4, .fewest_batches = 4, .most_batches = 32};

/// Three numbers for each vertex of a patch, in the stride of load_vertices().
struct LocalVertices {
  alignas(64) double at[kVertexStride * kLinearSizes.most_vertices()];
};

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

}  // namespace

ElasticEnergy::ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex) {
  validate(mesh);
  if (mesh.order() != 1) throw Error("the mesh is quadratic; make_solid_energy() takes meshes of either order");
  check_parts(mesh, parts);
  std::vector<int> corners;
  for (const ElasticPart& part : parts) {
    materials_.push_back(part.material);
    add_batches(mesh, part, corners);
  }
  patches_ = ElementPatches(corners, kLinearSizes, mesh.vertices(), first_vertex);
  patches_.number_locally(corners, [&](int b) { return &batches_[b].vertex[0][0]; });
}

void ElasticEnergy::add_batches(const TetMesh& mesh, const ElasticPart& part, std::vector<int>& corners) {
  MatrixX3d center(part.tets.size(), 3);
  for (size_t i = 0; i < part.tets.size(); ++i) {
    const auto tet = mesh.T.row(part.tets[i]);
    center.row(i) = (mesh.X.row(tet[0]) + mesh.X.row(tet[1]) + mesh.X.row(tet[2]) + mesh.X.row(tet[3])) / 4;
  }
  const std::vector<int> order = spatial_order(center);
  for (size_t begin = 0; begin < order.size(); begin += kLanes) {
    const int count = static_cast<int>(std::min<size_t>(kLanes, order.size() - begin));
    Batch batch{};
    std::array<std::array<int, kLanes>, 4> corner;
    V3<Pack> fiber{};
    for (int lane = 0; lane < kLanes; ++lane) {
      const int member = order[begin + (lane < count ? lane : 0)], e = part.tets[member];
      const auto tet = mesh.T.row(e);
      Mat3 Dm;
      for (int a = 0; a < 3; ++a) Dm.col(a) = (mesh.X.row(tet[a]) - mesh.X.row(tet[3])).transpose();
      const double volume = std::fabs(Dm.determinant()) / 6;
      if (!(volume > 0)) throw Error("{}: is flat: it has no volume; repair the mesh first", tet_text(mesh, e));
      const Mat3 gradients = Dm.inverse();
      for (int a = 0; a < 4; ++a) corner[a][lane] = tet[a];
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = gradients(a, i);
      if (mesh.fiber.rows() > e)
        for (int i = 0; i < 3; ++i) fiber[i][lane] = mesh.fiber(e, i);
      if (lane < count) batch.volume[lane] = part.factor.empty() ? volume : part.factor[member] * volume;
    }
    batches_.push_back(batch);
    for (const auto& vertices : corner) corners.insert(corners.end(), vertices.begin(), vertices.end());
    material_.push_back(part.material.get());
    BatchPlace place{.count = count, .slot = {}};
    std::fill_n(&place.slot[0][0], 10 * kLanes, -1);
    places_.push_back(place);
    if (mesh.fiber.rows() > 0) fibers_.push_back(fiber);
  }
}

template <class Body>
void ElasticEnergy::for_each_element(const Body& body) const {
  for (const Patch& patch : patches_.patches()) {
    const int* vertex = patches_.vertices_of(patch).data();
    for (int b = patch.batch_begin; b < patch.batch_end; ++b) {
      const auto& local = batches_[b].vertex;
      for (int lane = 0; lane < places_[b].count; ++lane)
        body(
            b, lane,
            std::array{vertex[local[0][lane]], vertex[local[1][lane]], vertex[local[2][lane]], vertex[local[3][lane]]});
    }
  }
}

BRIO_INLINE M3<Pack> ElasticEnergy::deformation_gradient(const Batch& batch, const double* positions) {
  const V3<Pack> corner[4] = {load_vertices(positions, batch.vertex[0]), load_vertices(positions, batch.vertex[1]),
                              load_vertices(positions, batch.vertex[2]), load_vertices(positions, batch.vertex[3])};
  M3<Pack> F;
  for (int i = 0; i < 3; ++i) {
    const Pack d0 = corner[0][i] - corner[3][i], d1 = corner[1][i] - corner[3][i], d2 = corner[2][i] - corner[3][i];
    for (int j = 0; j < 3; ++j) F(i, j) = d0 * batch.g[0][j] + d1 * batch.g[1][j] + d2 * batch.g[2][j];
  }
  return F;
}

void ElasticEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  const auto room = scratch_.take();
  room->patch_energy.resize(patches_.patches().size());
  room->copy_force.resize(3 * patches_.copies());
  patches_.for_each(want.hessian != nullptr,
                    [&](int p) { room->patch_energy[p] = evaluate_patch(patches_.patches()[p], x, want, *room); });
  if (want.gradient) patches_.add_forces(room->copy_force, *want.gradient);
  if (want.value) *want.value += std::accumulate(room->patch_energy.begin(), room->patch_energy.end(), 0.0);
}

double ElasticEnergy::evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want,
                                     Scratch& room) const {
  const std::span vertices = patches_.vertices_of(patch);
  LocalVertices positions, forces;
  copy_vertices(vertices, x, positions.at);
  if (want.gradient) std::fill_n(forces.at, kVertexStride * vertices.size(), 0.0);
  Pack energy{};
  for (int b = patch.batch_begin; b < patch.batch_end; ++b) {
    const Batch& batch = batches_[b];
    if (want.hessian) fetch_blocks(places_[b], *want.hessian);
    ElementBatch in;
    in.F = deformation_gradient(batch, positions.at);
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
        add_to_vertices(f, batch.vertex[a], forces.at);
      }
      add_to_vertices(last, batch.vertex[3], forces.at);
    }
    if (want.hessian) add_blocks(places_[b], K, batch.volume, *want.hessian);
  }
  if (want.gradient) {
    double* to = room.copy_force.data() + 3 * static_cast<size_t>(patch.copy_begin);
    for (size_t k = 0; k < vertices.size(); ++k)
      for (int i = 0; i < 3; ++i) to[3 * k + i] = forces.at[kVertexStride * k + i];
  }
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += energy[lane];
  return sum;
}

/// Before the law is evaluated, which takes as long as they are on their way.
BRIO_INLINE void ElasticEnergy::fetch_blocks(const BatchPlace& place, const BlockMatrix& hessian) {
  for (const auto& slot : place.slot)
    for (int half = 0; half < 2; ++half) fetch_four_blocks(slot + 4 * half, hessian.block(0));
}

void ElasticEnergy::add_blocks(const BatchPlace& place, const M3<Pack> (&K)[6], const Pack& volume,
                               BlockMatrix& hessian) {
  M3<Pack> all[10];
  complete_blocks(K, volume, all);
  for (int k = 0; k < 10; ++k)
    for (int half = 0; half < 2; ++half) {
      detail::Quad entry[9];
      for (int ij = 0; ij < 9; ++ij) entry[ij] = detail::quad_of(all[k](ij / 3, ij % 3), half);
      add_four_blocks(entry, place.slot[k] + 4 * half, hessian.block(0));
    }
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

ProjectiveFit ElasticEnergy::projective_fit() const {
  ProjectiveFit worst;
  for (const auto& material : materials_) worst += material->projective_fit();
  return worst;
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

Determinants ElasticEnergy::determinants(const VectorXd& x) const {
  std::array<Determinants, detail::kMostChunks> found;
  const std::vector<Patch>& patches = patches_.patches();
  const int n = static_cast<int>(patches.size());
  const detail::Chunks chunks(n, 1);
  parallel_for(n, 1, [&](int begin, int end) {
    Pack least = splat(std::numeric_limits<double>::infinity());
    Determinants& here = found[begin / chunks.length];
    for (int p = begin; p < end; ++p) {
      LocalVertices positions;
      copy_vertices(patches_.vertices_of(patches[p]), x, positions.at);
      for (int b = patches[p].batch_begin; b < patches[p].batch_end; ++b) {
        const Pack J = determinant(deformation_gradient(batches_[b], positions.at));
        least = min(least, J);
        for (int lane = 0; lane < places_[b].count; ++lane) here.inverted += J[lane] <= 0 ? 1 : 0;
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) here.smallest = std::min(here.smallest, least[lane]);
  });
  Determinants all;
  for (const Determinants& part : found) all += part;
  return all;
}

}  // namespace brio
