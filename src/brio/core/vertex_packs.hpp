#pragma once
// Converts between an array of vertices (stride of four numbers; the fourth is padding for aligned loads) and packs
// that hold one coordinate of eight vertices. Whole vertices are loaded and transposed in registers, which takes a
// fifth of the instructions that scalar loads would.

#include "brio/core/load_vector.hpp"
#include "brio/core/small.hpp"

#include <cstdint>
#include <cstring>

namespace brio {

constexpr int kVertexStride = 4;
using VertexIndex = std::uint16_t;

namespace detail {

using Quad = double __attribute__((vector_size(8 * kVertexStride)));

BRIO_INLINE void add_quad(double* to, const Quad& q) {
  const Quad sum = load_vector<Quad>(to) + q;
  std::memcpy(to, &sum, sizeof sum);
}
/// Four rows of four numbers become four columns.
BRIO_INLINE void transpose_quads(const Quad* from, Quad (&to)[4]) {
  const Quad a = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6);
  const Quad b = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
  const Quad c = __builtin_shufflevector(from[2], from[3], 0, 4, 2, 6);
  const Quad d = __builtin_shufflevector(from[2], from[3], 1, 5, 3, 7);
  to[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  to[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  to[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  to[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// The first or the last four numbers of a pack.
BRIO_INLINE Quad quad_of(const Pack& a, int half) {
  return load_vector<Quad>(reinterpret_cast<const double*>(&a) + 4 * half);
}
BRIO_INLINE Pack join(const Quad& a, const Quad& b) {
#if defined(__AVX512F__)  // else g++ would send them through memory
  return {{__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)}};
#else
  const Quad both[2] = {a, b};
  return load_vector<Pack>(reinterpret_cast<const double*>(both));
#endif
}

}  // namespace detail

/// Coordinates of the eight vertices `index` of the list `at`.
BRIO_INLINE V3<Pack> load_vertices(const double* at, const VertexIndex* index) {
  detail::Quad coordinates[2][4];
  for (int half = 0; half < 2; ++half) {
    detail::Quad vertices[4];
    for (int i = 0; i < 4; ++i) vertices[i] = load_vector<detail::Quad>(at + kVertexStride * index[4 * half + i]);
    detail::transpose_quads(vertices, coordinates[half]);
  }
  return {detail::join(coordinates[0][0], coordinates[1][0]), detail::join(coordinates[0][1], coordinates[1][1]),
          detail::join(coordinates[0][2], coordinates[1][2])};
}

/// Adds f to the eight vertices `index` of the list `at`, one after the other: some may be the same.
BRIO_INLINE void add_to_vertices(const V3<Pack>& f, const VertexIndex* index, double* at) {
  for (int half = 0; half < 2; ++half) {
    const detail::Quad coordinates[4] = {detail::quad_of(f[0], half), detail::quad_of(f[1], half),
                                         detail::quad_of(f[2], half), detail::Quad{}};
    detail::Quad vertices[4];
    detail::transpose_quads(coordinates, vertices);
    for (int i = 0; i < 4; ++i) detail::add_quad(at + kVertexStride * index[4 * half + i], vertices[i]);
  }
}

}  // namespace brio
