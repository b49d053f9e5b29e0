#pragma once
// Loads consecutive numbers, aligned or not, into a vector-extension type.

#include "brio/core/pack.hpp"

#include <cstring>
#include <type_traits>

namespace brio {

template <class Vector>
BRIO_INLINE Vector load_vector(const double* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// Single precision, widened.
template <class Vector>
BRIO_INLINE Vector load_vector(const float* from) {
  if constexpr (std::is_same_v<Vector, Pack>) {
    return detail::per_register<Pack>(
        [&](int k) { return load_vector<Pack::Register>(from + kRegisterLanes * k); });
  } else {
    typedef float Narrow __attribute__((vector_size(sizeof(Vector) / 2)));
    Narrow v;
    std::memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Vector);
  }
}

}  // namespace brio
