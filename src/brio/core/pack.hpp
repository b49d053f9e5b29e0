#pragma once
// Eight doubles that move as one: elements are evaluated eight at a time, and the compiler turns each operation into
// the widest instructions of the machine. Formulas are templates over the number type, so that the same text serves
// a Pack in the element loops and a double in tests and plots.

#include <cmath>
#include <cstdint>

namespace brio {

constexpr int kLanes = 8;
using Pack = double __attribute__((vector_size(8 * kLanes)));
using PackMask = std::int64_t __attribute__((vector_size(8 * kLanes)));

inline Pack splat(double a) { return Pack{} + a; }

template <class T>
struct MaskOf;
template <>
struct MaskOf<double> {
  using type = bool;
};
template <>
struct MaskOf<Pack> {
  using type = PackMask;
};

inline double select(bool m, double a, double b) { return m ? a : b; }
inline Pack select(const PackMask& m, const Pack& a, const Pack& b) { return m ? a : b; }
inline bool any(bool m) { return m; }
inline bool any(const PackMask& m) {
  std::int64_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= m[i];
  return bits != 0;
}

/// A number of type T from a double: constant<Pack>(2.0) is eight twos.
template <class T>
T constant(double a);
template <>
inline double constant<double>(double a) {
  return a;
}
template <>
inline Pack constant<Pack>(double a) {
  return splat(a);
}

namespace detail {
template <class F>
inline Pack per_lane(const Pack& a, F f) {
  Pack r;
  for (int i = 0; i < kLanes; ++i) r[i] = f(a[i]);
  return r;
}
}  // namespace detail

inline double sqrt(double a) { return std::sqrt(a); }
inline double abs(double a) { return std::fabs(a); }
inline double log(double a) { return std::log(a); }
inline double exp(double a) { return std::exp(a); }
inline double max(double a, double b) { return a > b ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }

inline Pack sqrt(const Pack& a) {
  return detail::per_lane(a, [](double x) { return std::sqrt(x); });
}
inline Pack abs(const Pack& a) { return select(a < 0, -a, a); }
inline Pack log(const Pack& a) {
  return detail::per_lane(a, [](double x) { return std::log(x); });
}
inline Pack exp(const Pack& a) {
  return detail::per_lane(a, [](double x) { return std::exp(x); });
}
inline Pack max(const Pack& a, const Pack& b) { return select(a > b, a, b); }
inline Pack min(const Pack& a, const Pack& b) { return select(a < b, a, b); }

}  // namespace brio
