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

// Batches of one group are neighbours in space: enough work for a task, few enough that small meshes still have
// several.
constexpr int kBatchesPerGroup = 4;
constexpr int kGroupsPerTask = 1;

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

ElasticEnergy::ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts) : Energy(Ledger::elastic) {
  for (const ElasticPart& part : parts) {
    materials_.push_back(part.material);
    build(mesh, part);
  }
  colour(mesh.vertices());
}

void ElasticEnergy::build(const TetMesh& mesh, const ElasticPart& part) {
  MatrixX3d centre(part.tets.size(), 3);
  for (size_t i = 0; i < part.tets.size(); ++i) {
    const auto tet = mesh.T.row(part.tets[i]);
    centre.row(i) = (mesh.X.row(tet[0]) + mesh.X.row(tet[1]) + mesh.X.row(tet[2]) + mesh.X.row(tet[3])) / 4;
  }
  const std::vector<int> order = spatial_order(centre);
  for (size_t begin = 0; begin < order.size(); begin += kLanes) {
    Batch batch{};
    batch.count = static_cast<int>(std::min<size_t>(kLanes, order.size() - begin));
    batch.material = part.material.get();
    std::fill(&batch.slot[0][0], &batch.slot[0][0] + 10 * kLanes, -1);
    for (int lane = 0; lane < kLanes; ++lane) {
      const int member = order[begin + (lane < batch.count ? lane : 0)], e = part.tets[member];
      const auto tet = mesh.T.row(e);
      Mat3 Dm;
      for (int a = 0; a < 3; ++a) Dm.col(a) = (mesh.X.row(tet[a]) - mesh.X.row(tet[3])).transpose();
      const double volume = std::fabs(Dm.determinant()) / 6;
      if (!(volume > 0)) throw Error("tetrahedron {} is flat: it has no volume; repair the mesh first", e);
      const Mat3 gradients = Dm.inverse();
      for (int a = 0; a < 4; ++a) batch.vertex[a][lane] = tet[a];
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = gradients(a, i);
      for (int i = 0; i < 3; ++i) batch.fibre[i][lane] = mesh.fibre.rows() > e ? mesh.fibre(e, i) : 0.0;
      batch.volume[lane] = part.factor.empty() ? volume : part.factor[member] * volume;
    }
    batches_.push_back(batch);
  }
}

/// Cuts the batches into groups, gives each group the first colour that none of its vertices has yet, and sorts by
/// colour.
void ElasticEnergy::colour(int vertices) {
  const int groups = static_cast<int>((batches_.size() + kBatchesPerGroup - 1) / kBatchesPerGroup);
  const auto group_range = [&](int group) {
    return std::pair(group * kBatchesPerGroup,
                     std::min<int>((group + 1) * kBatchesPerGroup, static_cast<int>(batches_.size())));
  };
  std::vector<std::vector<int>> members;         // groups of each colour
  std::vector<std::vector<int>> seen(vertices);  // colours that each vertex has
  std::vector<char> taken;
  for (int group = 0; group < groups; ++group) {
    const auto [begin, end] = group_range(group);
    taken.assign(members.size() + 1, 0);
    std::vector<int> touched;
    for (int b = begin; b < end; ++b)
      for (const auto& corner : batches_[b].vertex) touched.insert(touched.end(), corner, corner + kLanes);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (int v : touched)
      for (int c : seen[v]) taken[c] = 1;
    const size_t colour = std::find(taken.begin(), taken.end(), 0) - taken.begin();
    if (colour == members.size()) members.emplace_back();
    members[colour].push_back(group);
    for (int v : touched) seen[v].push_back(static_cast<int>(colour));
  }
  std::vector<Batch> sorted;
  sorted.reserve(batches_.size());
  group_begin_ = {0};
  colour_begin_ = {0};
  for (const std::vector<int>& colour : members) {
    for (int group : colour) {
      const auto [begin, end] = group_range(group);
      sorted.insert(sorted.end(), batches_.begin() + begin, batches_.begin() + end);
      group_begin_.push_back(static_cast<int>(sorted.size()));
    }
    colour_begin_.push_back(static_cast<int>(group_begin_.size()) - 1);
  }
  batches_ = std::move(sorted);
  batch_energy_.resize(batches_.size());
}

template <class Body>
void ElasticEnergy::for_each_batch_by_colour(const Body& body) const {
  for (size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    const int first = colour_begin_[c];
    parallel_for(colour_begin_[c + 1] - first, kGroupsPerTask, [&](int begin, int end) {
      for (int b = group_begin_[first + begin]; b < group_begin_[first + end]; ++b) body(batches_[b]);
    });
  }
}

M3<Pack> ElasticEnergy::deformation_gradient(const Batch& batch, const VectorXd& x) {
  V3<Pack> corner[4];
  for (int a = 0; a < 4; ++a)
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < 3; ++i) corner[a][i][lane] = x[3 * batch.vertex[a][lane] + i];
  M3<Pack> F;
  for (int i = 0; i < 3; ++i) {
    const Pack d0 = corner[0][i] - corner[3][i], d1 = corner[1][i] - corner[3][i], d2 = corner[2][i] - corner[3][i];
    for (int j = 0; j < 3; ++j) F(i, j) = d0 * batch.g[0][j] + d1 * batch.g[1][j] + d2 * batch.g[2][j];
  }
  return F;
}

void ElasticEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  if (!want.gradient && !want.hessian) {
    if (want.value) *want.value += energy(x);
    return;
  }
  for_each_batch_by_colour(
      [&](const Batch& batch) { batch_energy_[&batch - batches_.data()] = add_batch(batch, x, want); });
  if (want.value) *want.value += std::accumulate(batch_energy_.begin(), batch_energy_.end(), 0.0);
}

double ElasticEnergy::energy(const VectorXd& x) const {
  return parallel_sum(static_cast<int>(batches_.size()), kBatchesPerGroup, [&](int begin, int end) {
    double sum = 0;
    for (int b = begin; b < end; ++b) {
      const Batch& batch = batches_[b];
      Pack psi;
      batch.material->evaluate({deformation_gradient(batch, x), batch.fibre, {}}, {.psi = &psi});
      psi *= batch.volume;
      for (int lane = 0; lane < batch.count; ++lane) sum += psi[lane];
    }
    return sum;
  });
}

double ElasticEnergy::add_batch(const Batch& batch, const VectorXd& x, const EnergyWant& want) const {
  ElementBatch in{deformation_gradient(batch, x), batch.fibre, {batch.g[0], batch.g[1], batch.g[2]}};
  Pack psi;
  M3<Pack> P, K[6];
  batch.material->evaluate(in, {.psi = want.value ? &psi : nullptr,
                                .P = want.gradient ? &P : nullptr,
                                .blocks = want.hessian ? K : nullptr,
                                .psd = want.psd});
  if (want.gradient) {
    V3<Pack> f[4];
    for (int a = 0; a < 3; ++a) f[a] = P * batch.g[a];
    for (int i = 0; i < 3; ++i) {
      for (int a = 0; a < 3; ++a) f[a][i] *= batch.volume;
      f[3][i] = -(f[0][i] + f[1][i] + f[2][i]);
    }
    for (int lane = 0; lane < batch.count; ++lane)
      for (int a = 0; a < 4; ++a) {
        double* g = want.gradient->data() + 3 * batch.vertex[a][lane];
        for (int i = 0; i < 3; ++i) g[i] += f[a][i][lane];
      }
  }
  if (want.hessian) {
    M3<Pack> all[10];
    complete_blocks(K, batch.volume, all);
    for (int lane = 0; lane < batch.count; ++lane)
      for (int k = 0; k < 10; ++k) {
        if (batch.slot[k][lane] < 0) continue;
        double* block = want.hessian->block(batch.slot[k][lane]);
        const double* value = reinterpret_cast<const double*>(&all[k]) + lane;
        for (int ij = 0; ij < 9; ++ij) block[ij] += value[ij * kLanes];
      }
  }
  double sum = 0;
  if (want.value) {
    psi *= batch.volume;
    for (int lane = 0; lane < batch.count; ++lane) sum += psi[lane];
  }
  return sum;
}

void ElasticEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for (const Batch& batch : batches_)
    for (int lane = 0; lane < batch.count; ++lane)
      for (const auto& [a, b] : kBlocks)
        if (a != b) pairs.emplace_back(batch.vertex[a][lane], batch.vertex[b][lane]);
}

void ElasticEnergy::attach(const BlockLayout& layout) {
  for (Batch& batch : batches_) {
    for (int lane = 0; lane < kLanes; ++lane) {
      struct Corner {
        int dof, vertex;
        Vec3 g;
      } corner[4];
      for (int a = 0; a < 4; ++a) {
        corner[a].vertex = batch.vertex[a][lane];
        corner[a].dof = layout.dof[corner[a].vertex];
        corner[a].g.setZero();
      }
      for (int a = 0; a < 3; ++a) {
        corner[a].g << batch.g[a][0][lane], batch.g[a][1][lane], batch.g[a][2][lane];
        corner[3].g -= corner[a].g;
      }
      std::stable_sort(corner, corner + 4, [](const Corner& a, const Corner& b) { return a.dof > b.dof; });
      for (int a = 0; a < 4; ++a) batch.vertex[a][lane] = corner[a].vertex;
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = corner[a].g[i];
      for (int k = 0; k < 10; ++k) {
        const auto [a, b] = kBlocks[k];
        const bool free = corner[a].dof >= 0 && corner[b].dof >= 0;
        batch.slot[k][lane] = free ? layout.pattern->slot(corner[a].dof, corner[b].dof) : -1;
      }
    }
  }
}

void ElasticEnergy::add_projective_weights(VectorXd& slot_values) const {
  for (const Batch& batch : batches_) {
    for (int lane = 0; lane < batch.count; ++lane) {
      const auto vector = [&](const V3<Pack>& v) { return Vec3(v[0][lane], v[1][lane], v[2][lane]); };
      const Vec3 fibre = vector(batch.fibre);
      Vec3 g[4] = {vector(batch.g[0]), vector(batch.g[1]), vector(batch.g[2])};
      g[3] = -(g[0] + g[1] + g[2]);
      for (int k = 0; k < 10; ++k) {
        if (batch.slot[k][lane] < 0) continue;
        const auto [a, b] = kBlocks[k];
        slot_values[batch.slot[k][lane]] += batch.volume[lane] * batch.material->projective_weight(g[a], g[b], fibre);
      }
    }
  }
}

double ElasticEnergy::smallest_determinant(const VectorXd& x) const {
  std::array<double, detail::kMostChunks> smallest;
  smallest.fill(std::numeric_limits<double>::infinity());
  const int n = static_cast<int>(batches_.size());
  const detail::Chunks chunks(n, kBatchesPerGroup);
  parallel_for(n, kBatchesPerGroup, [&](int begin, int end) {
    Pack least = splat(std::numeric_limits<double>::infinity());
    for (int b = begin; b < end; ++b) least = min(least, determinant(deformation_gradient(batches_[b], x)));
    double& out = smallest[begin / chunks.length];
    for (int lane = 0; lane < kLanes; ++lane) out = std::min(out, least[lane]);
  });
  return *std::min_element(smallest.begin(), smallest.end());
}

}  // namespace brio
