#pragma once
// What solids of linear and of quadratic tetrahedra have in common: elements in batches of eight, which are evaluated
// together, and batches in patches (element_patches.hpp). What an element is, its kind says.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/scratch_pool.hpp"
#include "brio/core/spatial_order.hpp"
#include "brio/core/vertex_packs.hpp"
#include "brio/energy/element_patches.hpp"
#include "brio/energy/solid_energy.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace brio {

/// `Kind` has the number of nodes, kNodes; the sizes of patches, kSizes; a Batch, what every evaluation reads of eight
/// elements of one part, `vertex` (their nodes among the vertices of the patch) among it; and a Place, what only some
/// evaluations read, `count` (of elements; lanes past them repeat the first with a volume of zero) and `slot` (of
/// blocks) among it.
template <class Kind>
class BatchedSolid : public SolidEnergy {
 public:
  void evaluate(double, const VectorXd& x, const EnergyWant& want) const final {
    const auto room = scratch_.take();
    room->patch_energy.resize(patches_.patches().size());
    room->copy_force.resize(3 * patches_.copies());
    patches_.for_each(want.hessian != nullptr,
                      [&](int p) { room->patch_energy[p] = evaluate_patch(patches_.patches()[p], x, want, *room); });
    if (want.gradient) patches_.add_forces(room->copy_force, *want.gradient);
    if (want.value) *want.value += std::accumulate(room->patch_energy.begin(), room->patch_energy.end(), 0.0);
  }

  ProjectiveFit projective_fit() const final {
    ProjectiveFit worst;
    for (const auto& material : materials_) worst += material->projective_fit();
    return worst;
  }

  Determinants determinants(const VectorXd& x) const final {
    std::array<Determinants, detail::kMostChunks> found;
    const std::vector<Patch>& patches = patches_.patches();
    const int n = static_cast<int>(patches.size());
    const detail::Chunks chunks(n, 1);
    parallel_for(n, 1, [&](int begin, int end) {
      Determinants& here = found[begin / chunks.length];
      for (int p = begin; p < end; ++p) {
        LocalVertices positions;
        copy_vertices(patches_.vertices_of(patches[p]), x, positions.at);
        for (int b = patches[p].batch_begin; b < patches[p].batch_end; ++b) {
          const Pack least = least_determinant(batches_[b], positions.at);
          for (int lane = 0; lane < places_[b].count; ++lane) {
            here.smallest = std::min(here.smallest, least[lane]);
            here.inverted += least[lane] <= 0 ? 1 : 0;
          }
        }
      }
    });
    Determinants all;
    for (const Determinants& part : found) all += part;
    return all;
  }

 protected:
  using Batch = typename Kind::Batch;
  using Place = typename Kind::Place;
  using Nodes = std::array<int, Kind::kNodes>;

  /// Makes the batches of all parts. set_lane(mesh, tet, lane, factor, batch) returns the nodes of an element and
  /// writes all else that a batch has of it; its volume is to be multiplied with the factor.
  template <class SetLane>
  void add_parts(const TetMesh& mesh, const std::vector<ElasticPart>& parts, int first_vertex,
                 const SetLane& set_lane) {
    check_parts(mesh, parts);
    std::vector<int> nodes;
    for (const ElasticPart& part : parts) {
      materials_.push_back(part.material);
      add_batches(mesh, part, set_lane, nodes);
    }
    patches_ = ElementPatches(nodes, Kind::kSizes, mesh.vertices(), first_vertex);
    patches_.number_locally(nodes, [&](int b) { return &batches_[b].vertex[0][0]; });
  }

  /// Adds the energy and the forces of a batch, and its blocks to the matrix, each where wanted. `positions` and
  /// `forces` are those of the vertices of its patch, in the stride of load_vertices().
  virtual void evaluate_batch(int batch, const double* positions, const EnergyWant& want, Pack& energy,
                              double* forces) const = 0;
  /// Of the deformation gradients of each element, wherever it is evaluated.
  virtual Pack least_determinant(const Batch& batch, const double* positions) const = 0;

  /// body(batch, lane, nodes) for every element.
  template <class Body>
  void for_each_element(const Body& body) const {
    for (const Patch& patch : patches_.patches()) {
      const std::span vertices = patches_.vertices_of(patch);
      for (int b = patch.batch_begin; b < patch.batch_end; ++b)
        for (int lane = 0; lane < places_[b].count; ++lane) {
          Nodes node;
          for (int a = 0; a < Kind::kNodes; ++a) node[a] = vertices[batches_[b].vertex[a][lane]];
          body(b, lane, node);
        }
    }
  }

  V3<Pack> fiber(int batch) const { return fibers_.empty() ? V3<Pack>{} : fibers_[batch]; }

  std::vector<Batch> batches_;
  std::vector<Place> places_;              ///< of each batch
  std::vector<const Material*> material_;  ///< of each batch

 private:
  using Patch = ElementPatches::Patch;
  /// Three numbers for each vertex of a patch, in the stride of load_vertices().
  struct LocalVertices {
    alignas(64) double at[kVertexStride * Kind::kSizes.most_vertices()];
  };
  /// What the patches leave behind in one evaluation.
  struct Scratch {
    std::vector<double> copy_force;    ///< the gradient at each copy, three numbers [N]
    std::vector<double> patch_energy;  ///< [J]
  };

  /// The batches of a part, and the nodes of their elements, batch by batch.
  template <class SetLane>
  void add_batches(const TetMesh& mesh, const ElasticPart& part, const SetLane& set_lane, std::vector<int>& nodes) {
    MatrixX3d center(part.tets.size(), 3);
    for (size_t i = 0; i < part.tets.size(); ++i) {
      const auto tet = mesh.T.row(part.tets[i]);
      center.row(i) = (mesh.X.row(tet[0]) + mesh.X.row(tet[1]) + mesh.X.row(tet[2]) + mesh.X.row(tet[3])) / 4;
    }
    const std::vector<int> order = spatial_order(center);
    for (size_t begin = 0; begin < order.size(); begin += kLanes) {
      const int count = static_cast<int>(std::min<size_t>(kLanes, order.size() - begin));
      Batch batch{};
      V3<Pack> fiber{};
      std::array<std::array<int, kLanes>, Kind::kNodes> node;
      for (int lane = 0; lane < kLanes; ++lane) {
        const int member = order[begin + (lane < count ? lane : 0)], e = part.tets[member];
        const double factor = lane >= count ? 0 : part.factor.empty() ? 1 : part.factor[member];
        const Nodes own = set_lane(mesh, e, lane, factor, batch);
        for (int a = 0; a < Kind::kNodes; ++a) node[a][lane] = own[a];
        if (mesh.fiber.rows() > e)
          for (int i = 0; i < 3; ++i) fiber[i][lane] = mesh.fiber(e, i);
      }
      batches_.push_back(batch);
      for (const auto& of_lanes : node) nodes.insert(nodes.end(), of_lanes.begin(), of_lanes.end());
      material_.push_back(part.material.get());
      Place place{};
      place.count = count;
      for (auto& slots : place.slot) std::fill_n(slots, kLanes, -1);
      places_.push_back(place);
      if (mesh.fiber.rows() > 0) fibers_.push_back(fiber);
    }
  }

  /// Adds blocks, leaves forces at its copies of the vertices, and returns the energy; each of them where wanted.
  double evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want, Scratch& room) const {
    const std::span vertices = patches_.vertices_of(patch);
    LocalVertices positions, forces;
    copy_vertices(vertices, x, positions.at);
    if (want.gradient) std::fill_n(forces.at, kVertexStride * vertices.size(), 0.0);
    Pack energy{};
    for (int b = patch.batch_begin; b < patch.batch_end; ++b) evaluate_batch(b, positions.at, want, energy, forces.at);
    if (want.gradient) {
      double* to = room.copy_force.data() + 3 * static_cast<size_t>(patch.copy_begin);
      for (size_t k = 0; k < vertices.size(); ++k)
        for (int i = 0; i < 3; ++i) to[3 * k + i] = forces.at[kVertexStride * k + i];
    }
    double sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) sum += energy[lane];
    return sum;
  }

  std::vector<std::shared_ptr<const Material>> materials_;
  std::vector<V3<Pack>> fibers_;  ///< of each batch, or of none
  ElementPatches patches_;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
