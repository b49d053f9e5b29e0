#pragma once
// A SIMD pack of eight doubles: elements are evaluated eight at a time, with the widest instructions of the machine.
// Formulas are templates over the number type, so that the same text serves a Pack in the element loops and a double in
// tests and plots.

#include <cmath>
#include <cstdint>

/// For every function that takes or returns a Pack by value: how vectors travel through a call depends on the
/// instruction set a file is compiled for, so such calls must vanish for files built differently to be linked together.
#define BRIO_INLINE [[gnu::always_inline]] inline

// For the same reason g++ and clang warn (-Wpsabi) wherever such a function is seen by a file that is compiled for
// other instructions. None of them is ever called, so the warning is switched off for the rest of the file that
// includes this, laws of its own included.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace brio {

constexpr int kLanes = 8;

// A pack is made of registers of the machine. One vector of eight would be simpler, but where registers are shorter g++
// compares and selects the numbers of such a vector one by one, which makes a decomposition three times as slow.
#if defined(__AVX512F__)
constexpr int kRegisterLanes = 8;
#elif defined(__AVX__)
constexpr int kRegisterLanes = 4;
#else
constexpr int kRegisterLanes = 2;
#endif
constexpr int kRegisters = kLanes / kRegisterLanes;

struct alignas(8 * kLanes) Pack {
  using Register = double __attribute__((vector_size(8 * kRegisterLanes)));
  Register part[kRegisters];

  BRIO_INLINE double operator[](int lane) const { return part[lane / kRegisterLanes][lane % kRegisterLanes]; }
  BRIO_INLINE double& operator[](int lane) { return reinterpret_cast<double*>(part)[lane]; }
};

/// All bits of a lane, or none.
struct alignas(8 * kLanes) PackMask {
  using Register = std::int64_t __attribute__((vector_size(8 * kRegisterLanes)));
  Register part[kRegisters];
};

namespace detail {

/// Applies an operation to each register.
template <class Result, class F>
BRIO_INLINE Result per_register(F f) {
  Result r;
  for (int k = 0; k < kRegisters; ++k) r.part[k] = f(k);
  return r;
}
template <class F>
BRIO_INLINE Pack per_lane(const Pack& a, F f) {
  Pack r{};
  for (int k = 0; k < kRegisters; ++k)
    for (int i = 0; i < kRegisterLanes; ++i) r.part[k][i] = f(a.part[k][i]);
  return r;
}

}  // namespace detail

#define BRIO_PACK_OPERATOR(result, sign)                                                        \
  BRIO_INLINE result operator sign(const Pack& a, const Pack& b) {                              \
    return detail::per_register<result>([&](int k) { return a.part[k] sign b.part[k]; });       \
  }                                                                                             \
  BRIO_INLINE result operator sign(const Pack& a, double b) {                                   \
    return detail::per_register<result>([&](int k) { return a.part[k] sign b; });               \
  }                                                                                             \
  BRIO_INLINE result operator sign(double a, const Pack& b) {                                   \
    return detail::per_register<result>([&](int k) { return a sign b.part[k]; });               \
  }
BRIO_PACK_OPERATOR(Pack, +)
BRIO_PACK_OPERATOR(Pack, -)
BRIO_PACK_OPERATOR(Pack, *)
BRIO_PACK_OPERATOR(Pack, /)
BRIO_PACK_OPERATOR(PackMask, <)
BRIO_PACK_OPERATOR(PackMask, >)
BRIO_PACK_OPERATOR(PackMask, <=)
BRIO_PACK_OPERATOR(PackMask, >=)
#undef BRIO_PACK_OPERATOR

BRIO_INLINE Pack operator-(const Pack& a) {
  return detail::per_register<Pack>([&](int k) { return -a.part[k]; });
}
template <class Number>  // a Pack or a double
BRIO_INLINE Pack& operator+=(Pack& a, const Number& b) {
  return a = a + b;
}
template <class Number>
BRIO_INLINE Pack& operator-=(Pack& a, const Number& b) {
  return a = a - b;
}
template <class Number>
BRIO_INLINE Pack& operator*=(Pack& a, const Number& b) {
  return a = a * b;
}
template <class Number>
BRIO_INLINE Pack& operator/=(Pack& a, const Number& b) {
  return a = a / b;
}
BRIO_INLINE PackMask operator&(const PackMask& a, const PackMask& b) {
  return detail::per_register<PackMask>([&](int k) { return a.part[k] & b.part[k]; });
}
BRIO_INLINE PackMask operator|(const PackMask& a, const PackMask& b) {
  return detail::per_register<PackMask>([&](int k) { return a.part[k] | b.part[k]; });
}
BRIO_INLINE PackMask& operator&=(PackMask& a, const PackMask& b) { return a = a & b; }
BRIO_INLINE PackMask operator!(const PackMask& a) {
  return detail::per_register<PackMask>([&](int k) { return ~a.part[k]; });
}

BRIO_INLINE Pack splat(double a) {
  return detail::per_register<Pack>([&](int) { return Pack::Register{} + a; });
}

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
BRIO_INLINE Pack select(const PackMask& m, const Pack& a, const Pack& b) {
  return detail::per_register<Pack>([&](int k) { return m.part[k] ? a.part[k] : b.part[k]; });
}
BRIO_INLINE bool any(bool m) { return m; }
BRIO_INLINE bool any(const PackMask& m) {
  PackMask::Register all = m.part[0];
  for (int k = 1; k < kRegisters; ++k) all |= m.part[k];
  std::int64_t bits = 0;
  for (int i = 0; i < kRegisterLanes; ++i) bits |= all[i];
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

namespace detail {
/// Of usual numbers. a = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2, and with r = f / (2 + f), |r| < 0.172,
/// log(1 + f) = 2 artanh r = f - r (f - 2 r^2/3 - 2 r^4/5 - ...). Bits have no sign, since those of other numbers would
/// overflow.
BRIO_INLINE Pack::Register log_of_register(const Pack::Register& a) {
  using Vector = Pack::Register;
  using Bits = std::uint64_t __attribute__((vector_size(sizeof(Vector))));
  constexpr std::uint64_t kRootOfHalf = 0x3FE6A09E667F3BCD;  // the bits of that number
  constexpr std::uint64_t kExponent = 0xFFF0000000000000;    // the bits of sign and exponent
  constexpr std::uint64_t kBias = std::uint64_t{1023} << 52, kBitsOf2to52 = 0x4330000000000000;
  constexpr double kLog2 = 0x1.62e42fefa38p-1, kRestOfLog2 = 0x1.ef35793c7673p-45;  // k times the first is exact
  const Bits from_root = (Bits)a - kRootOfHalf;
  const Vector f = (Vector)((Bits)a - (from_root & kExponent)) - 1.0, r = f / (2.0 + f), z = r * r;
  Vector series = Vector{} + 2.0 / 21;
  for (int n = 19; n >= 3; n -= 2) series = 2.0 / n + z * series;
  // k + 1023, which is not negative, as the last digits of a number near 2^52.
  const Vector exponent = (Vector)((from_root + kBias) >> 52 | kBitsOf2to52) - (0x1p52 + 1023);
  return kLog2 * exponent + (f - (r * (f - z * series) - kRestOfLog2 * exponent));
}
}  // namespace detail

/// Within a unit of the last place.
BRIO_INLINE Pack log(const Pack& a) {
  const Pack sum = detail::per_register<Pack>([&](int k) { return detail::log_of_register(a.part[k]); });
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
