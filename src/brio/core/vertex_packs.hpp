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
BRIO_INLINE Pack join(const Quad& a, const Quad& b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }

}  // namespace detail

/// Coordinates of the eight vertices `index` of the list `at`.
BRIO_INLINE V3<Pack> load_vertices(const double* at, const VertexIndex* index) {
  const auto vertices = [&](int i, int j) {
    return detail::join(load_vector<detail::Quad>(at + kVertexStride * index[i]),
                        load_vector<detail::Quad>(at + kVertexStride * index[j]));
  };
  const Pack v04 = vertices(0, 4), v15 = vertices(1, 5), v26 = vertices(2, 6), v37 = vertices(3, 7);
  const Pack xz01 = __builtin_shufflevector(v04, v15, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack yw01 = __builtin_shufflevector(v04, v15, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack xz23 = __builtin_shufflevector(v26, v37, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack yw23 = __builtin_shufflevector(v26, v37, 1, 9, 3, 11, 5, 13, 7, 15);
  return {__builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(yw01, yw23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15)};
}

/// Adds f to the eight vertices `index` of the list `at`, one after the other: some may be the same.
BRIO_INLINE void add_to_vertices(const V3<Pack>& f, const VertexIndex* index, double* at) {
  const Pack none{};
  const Pack xz01 = __builtin_shufflevector(f[0], f[2], 0, 1, 8, 9, 4, 5, 12, 13);
  const Pack yw01 = __builtin_shufflevector(f[1], none, 0, 1, 8, 9, 4, 5, 12, 13);
  const Pack xz23 = __builtin_shufflevector(f[0], f[2], 2, 3, 10, 11, 6, 7, 14, 15);
  const Pack yw23 = __builtin_shufflevector(f[1], none, 2, 3, 10, 11, 6, 7, 14, 15);
  const Pack v[4] = {__builtin_shufflevector(xz01, yw01, 0, 8, 2, 10, 4, 12, 6, 14),
                     __builtin_shufflevector(xz01, yw01, 1, 9, 3, 11, 5, 13, 7, 15),
                     __builtin_shufflevector(xz23, yw23, 0, 8, 2, 10, 4, 12, 6, 14),
                     __builtin_shufflevector(xz23, yw23, 1, 9, 3, 11, 5, 13, 7, 15)};
  for (int i = 0; i < 4; ++i)
    detail::add_quad(at + kVertexStride * index[i], __builtin_shufflevector(v[i], v[i], 0, 1, 2, 3));
  for (int i = 0; i < 4; ++i)
    detail::add_quad(at + kVertexStride * index[i + 4], __builtin_shufflevector(v[i], v[i], 4, 5, 6, 7));
}

}  // namespace brio
