#pragma once
// Elements of any number of nodes in patches, so that forces and stiffness are added up in parallel and in the same
// order for any number of threads. Elements are evaluated eight at a time, in batches; a patch is a few batches that
// are neighbors in space. A patch has its own copies of the vertices that it touches: it reads positions and adds up
// forces there, in the nearest cache, and what the patches left at a vertex is then added up in the order of the
// patches. Second derivatives go where they belong directly, by colors: patches of one color share no vertex.

#include "brio/core/parallel.hpp"
#include "brio/core/types.hpp"
#include "brio/core/vertex_packs.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace brio {

class ElementPatches {
 public:
  struct Patch {
    int batch_begin, batch_end;
    int copy_begin, copy_end;
  };
  /// Patches are small enough that their vertices stay in the nearest cache and that small meshes still have several,
  /// large enough that neighboring ones share few vertices. That depends on the mesh alone, or else the sums would not.
  struct Sizes {
    int nodes;  ///< of an element
    int fewest_batches, most_batches;
    constexpr int most_vertices() const { return nodes * kLanes * most_batches; }
  };

  ElementPatches() = default;
  /// `vertices` has the vertices of the batches' elements, kLanes of the first node, kLanes of the second …; the mesh
  /// has `mesh_vertices`, the first of which has the number `first_vertex` among all vertices.
  ElementPatches(const std::vector<int>& vertices, const Sizes& sizes, int mesh_vertices, int first_vertex);

  /// Writes the number that each vertex of a batch has in its patch to where at(batch) points, in the order of
  /// `vertices`, which are those that the patches were made of.
  template <class At>
  void number_locally(const std::vector<int>& vertices, const At& at) const {
    const int stride = sizes_.nodes * kLanes;
    for (const Patch& patch : patches_) {
      const std::span own = vertices_of(patch);
      for (int b = patch.batch_begin; b < patch.batch_end; ++b)
        for (int k = 0; k < stride; ++k)
          at(b)[k] = static_cast<VertexIndex>(
              std::lower_bound(own.begin(), own.end(), vertices[static_cast<size_t>(b) * stride + k] + first_vertex_) -
              own.begin());
    }
  }

  const std::vector<Patch>& patches() const { return patches_; }
  size_t copies() const { return copy_vertex_.size(); }
  /// Numbers among all vertices, ascending.
  std::span<const int> vertices_of(const Patch& patch) const {
    return {copy_vertex_.data() + patch.copy_begin, copy_vertex_.data() + patch.copy_end};
  }

  /// body(patch) in parallel; color after color where `by_color`.
  template <class Body>
  void for_each(bool by_color, const Body& body) const {
    if (!by_color) {
      parallel_for(static_cast<int>(patches_.size()), 1, [&](int begin, int end) {
        for (int p = begin; p < end; ++p) body(p);
      });
      return;
    }
    for (size_t c = 0; c + 1 < color_begin_.size(); ++c) {
      const int* members = colored_.data() + color_begin_[c];
      parallel_for(color_begin_[c + 1] - color_begin_[c], 1, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) body(members[i]);
      });
    }
  }

  /// Adds what the patches left at their copies, three numbers each, to the gradient at the vertices.
  void add_forces(const std::vector<double>& copy_force, VectorXd& gradient) const;

 private:
  void cut(const std::vector<int>& vertices);
  void color(int mesh_vertices);
  void list_copies(int mesh_vertices);

  Sizes sizes_{};
  int first_vertex_ = 0;
  std::vector<Patch> patches_;
  std::vector<int> colored_, color_begin_;  ///< the patches of each color
  std::vector<int> copy_vertex_;            ///< the vertex that each copy is of
  std::vector<int> copies_begin_, copies_;  ///< the copies of each vertex, in the order of the patches
};

/// Asks for four blocks of a matrix that are added to soon: they lie all over it, and waiting for them would take
/// longer than computing what is added. (A slot of -1 asks for what lies before the matrix, which does nothing.)
BRIO_INLINE void fetch_four_blocks(const int* slot, const double* values) {
  constexpr std::intptr_t kBytes = 9 * sizeof(double), kLine = 64;
  for (int i = 0; i < 4; ++i) {
    const std::intptr_t block = reinterpret_cast<std::intptr_t>(values) + kBytes * slot[i];
    __builtin_prefetch(reinterpret_cast<const void*>(block), 1);
    __builtin_prefetch(reinterpret_cast<const void*>(block + kLine), 1);  // nine numbers: most reach into a second line
  }
}

/// Adds four blocks to a matrix. `entry` has their entries, row by row, each of all four; a slot of -1 is left out.
BRIO_INLINE void add_four_blocks(const detail::Quad (&entry)[9], const int* slot, double* values) {
  detail::Quad first[4], second[4];
  detail::transpose_quads(entry, first);
  detail::transpose_quads(entry + 4, second);
  for (int i = 0; i < 4; ++i) {
    if (slot[i] < 0) continue;
    double* to = values + 9 * static_cast<Index>(slot[i]);
    detail::add_quad(to, first[i]);
    detail::add_quad(to + 4, second[i]);
    to[8] += entry[8][i];
  }
}

/// Positions of the vertices, in the stride of load_vertices().
inline void copy_vertices(std::span<const int> vertices, const VectorXd& x, double* to) {
  for (const int v : vertices) {
    for (int i = 0; i < 3; ++i) to[i] = x[3 * v + i];
    to[3] = 0;
    to += kVertexStride;
  }
}

}  // namespace brio
