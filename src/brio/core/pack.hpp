#pragma once
// A SIMD pack of eight doubles: elements are evaluated eight at a time, and the compiler turns each operation into
// the widest instructions of the machine. Formulas are templates over the number type, so that the same text serves
// a Pack in the element loops and a double in tests and plots.

#include <cmath>
#include <cstdint>

/// For every function that takes or returns a Pack by value: how a 64-byte vector travels through a call depends on the
/// instruction set a file is compiled for, so such calls must vanish for files built differently to be linked together.
#define BRIO_INLINE [[gnu::always_inline]] inline

// For the same reason g++ and clang warn (-Wpsabi) wherever such a function is seen by a file that is compiled for
// other instructions. None of them is ever called, so the warning is switched off for the rest of the file that
// includes this, laws of its own included.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace brio {

constexpr int kLanes = 8;
using Pack = double __attribute__((vector_size(8 * kLanes)));
using PackMask = std::int64_t __attribute__((vector_size(8 * kLanes)));

BRIO_INLINE Pack splat(double a) { return Pack{} + a; }

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

BRIO_INLINE double select(bool m, double a, double b) { return m ? a : b; }
BRIO_INLINE Pack select(const PackMask& m, const Pack& a, const Pack& b) { return m ? a : b; }
BRIO_INLINE bool any(bool m) { return m; }
BRIO_INLINE bool any(const PackMask& m) {
  std::int64_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= m[i];
  return bits != 0;
}

/// A number of type T from a double: constant<Pack>(2.0) is eight twos.
template <class T>
T constant(double a);
template <>
BRIO_INLINE double constant<double>(double a) {
  return a;
}
template <>
BRIO_INLINE Pack constant<Pack>(double a) {
  return splat(a);
}

namespace detail {
template <class F>
BRIO_INLINE Pack per_lane(const Pack& a, F f) {
  Pack r{};
  for (int i = 0; i < kLanes; ++i) r[i] = f(a[i]);
  return r;
}
}  // namespace detail

BRIO_INLINE double sqrt(double a) { return std::sqrt(a); }
BRIO_INLINE double abs(double a) { return std::fabs(a); }
BRIO_INLINE double log(double a) { return std::log(a); }
BRIO_INLINE double exp(double a) { return std::exp(a); }
BRIO_INLINE double max(double a, double b) { return a > b ? a : b; }
BRIO_INLINE double min(double a, double b) { return a < b ? a : b; }

BRIO_INLINE Pack sqrt(const Pack& a) {
  return detail::per_lane(a, [](double x) { return std::sqrt(x); });
}
BRIO_INLINE Pack abs(const Pack& a) { return select(a < 0, -a, a); }
/// Within a unit of the last place. a = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2, and with
/// r = f / (2 + f), |r| < 0.172, log(1 + f) = 2 artanh r = f - r (f - 2 r^2/3 - 2 r^4/5 - ...).
BRIO_INLINE Pack log(const Pack& a) {
  constexpr std::int64_t kRootOfHalf = 0x3FE6A09E667F3BCD;                          // the bits of that number
  constexpr double kLog2 = 0x1.62e42fefa38p-1, kRestOfLog2 = 0x1.ef35793c7673p-45;  // k times the first is exact
  const PackMask k = ((PackMask)a - kRootOfHalf) >> 52;
  const PackMask scaled = (PackMask)a - (k << 52);
  const Pack f = (Pack)scaled - 1.0, r = f / (2.0 + f), z = r * r;
  Pack series = splat(2.0 / 21);
  for (int n = 19; n >= 3; n -= 2) series = 2.0 / n + z * series;
  const Pack exponent = __builtin_convertvector(k, Pack);
  const Pack sum = kLog2 * exponent + (f - (r * (f - z * series) - kRestOfLog2 * exponent));
  // Zero, negative, denormal, infinite, none: as the standard library has it.
  const PackMask usual = (a >= 0x1p-1022) & (a <= 0x1.fffffffffffffp1023);
  if (!any(!usual)) return sum;
  return select(usual, sum, detail::per_lane(a, [](double x) { return std::log(x); }));
}
BRIO_INLINE Pack exp(const Pack& a) {
  return detail::per_lane(a, [](double x) { return std::exp(x); });
}
BRIO_INLINE Pack max(const Pack& a, const Pack& b) { return select(a > b, a, b); }
BRIO_INLINE Pack min(const Pack& a, const Pack& b) { return select(a < b, a, b); }

}  // namespace brio
