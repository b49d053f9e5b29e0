#pragma once
// A stress along one stretch-like quantity x, drawn by control points: the piecewise cubic of Fritsch and Butland 1984,
// which is monotone wherever the points are, and straight lines beyond the ends. Cubics with continuous curvature would
// overshoot, which would make the material soft where the control points do not.

#include "brio/core/options.hpp"
#include "brio/core/pack.hpp"

namespace brio {

class SplineCurve {
 public:
  SplineCurve() = default;  ///< zero everywhere
  /// Points (x, stress [Pa]). Throws Error, naming the option, unless there are at least three with increasing x.
  SplineCurve(const std::vector<Pair>& points, const std::string& option);

  bool zero() const { return pieces_.empty(); }

  template <class T>
  BRIO_INLINE T energy(const T& x) const {
    const Local<T> p = local(x);
    return p.e + p.d * (p.c0 + p.d * (p.c1 / 2 + p.d * (p.c2 / 3 + p.d * (p.c3 / 4))));
  }
  template <class T>
  BRIO_INLINE T stress(const T& x) const {
    const Local<T> p = local(x);
    return p.c0 + p.d * (p.c1 + p.d * (p.c2 + p.d * p.c3));
  }
  template <class T>
  BRIO_INLINE T slope(const T& x) const {
    const Local<T> p = local(x);
    return p.c1 + p.d * (2 * p.c2 + p.d * (3 * p.c3));
  }

 private:
  /// From `from` on, up to the next piece, the stress is c0 + c1 d + c2 d^2 + c3 d^3 with d = x - base, and e is the
  /// energy at the base.
  struct Piece {
    double from, base, e, c0, c1, c2, c3;
  };
  template <class T>
  struct Local {
    T d, e, c0, c1, c2, c3;
  };

  template <class T>
  BRIO_INLINE Local<T> local(const T& x) const {
    const Piece& first = pieces_.front();
    Local<T> p{constant<T>(first.base), constant<T>(first.e),  constant<T>(first.c0),
               constant<T>(first.c1),   constant<T>(first.c2), constant<T>(first.c3)};
    for (size_t k = 1; k < pieces_.size(); ++k) {
      const Piece& piece = pieces_[k];
      const auto reached = x >= piece.from;
      p.d = select(reached, constant<T>(piece.base), p.d);
      p.e = select(reached, constant<T>(piece.e), p.e);
      p.c0 = select(reached, constant<T>(piece.c0), p.c0);
      p.c1 = select(reached, constant<T>(piece.c1), p.c1);
      p.c2 = select(reached, constant<T>(piece.c2), p.c2);
      p.c3 = select(reached, constant<T>(piece.c3), p.c3);
    }
    p.d = x - p.d;
    return p;
  }

  std::vector<Piece> pieces_;
};

}  // namespace brio
