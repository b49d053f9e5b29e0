#include "brio/core/error.hpp"
#include "brio/material/isotropic_material.hpp"
#include "brio/material/spline_curve.hpp"
#include "brio/material/valanis_landel.hpp"

#include <cmath>

namespace brio {
namespace {

/// Slopes of the interpolant at its points: zero at a turning point, otherwise a harmonic mean of the slopes of the
/// chords on both sides, weighted by their lengths; the chord itself at the ends.
std::vector<double> point_slopes(const std::vector<Pair>& points) {
  const size_t n = points.size();
  std::vector<double> length(n - 1), chord(n - 1), slope(n);
  for (size_t k = 0; k + 1 < n; ++k) {
    length[k] = points[k + 1][0] - points[k][0];
    chord[k] = (points[k + 1][1] - points[k][1]) / length[k];
  }
  slope.front() = chord.front();
  slope.back() = chord.back();
  for (size_t k = 1; k + 1 < n; ++k) {
    const double w0 = 2 * length[k] + length[k - 1], w1 = length[k] + 2 * length[k - 1];
    slope[k] = chord[k - 1] * chord[k] > 0 ? (w0 + w1) / (w0 / chord[k - 1] + w1 / chord[k]) : 0;
  }
  return slope;
}

void require_increasing(const std::vector<Pair>& points, const std::string& key) {
  for (size_t k = 1; k < points.size(); ++k) {
    if (!(points[k][1] > points[k - 1][1])) {
      throw Error("{}: the stress must increase with the stretch, but it is {} at {} and {} at {}", key,
                  points[k - 1][1], points[k - 1][0], points[k][1], points[k][0]);
    }
  }
}

/// Without stress at rest: psi_i = a'(1) + 2 b'(1) + c'(1) = 0.
void require_rest(const ValanisLandel<SplineCurve>& law) {
  const double one = 1, a = law.a.stress(one), b = law.b.zero() ? 0 : law.b.stress(one),
               c = law.c.zero() ? 0 : law.c.stress(one);
  const double stress = a + 2 * b + c, size = std::fabs(a) + 2 * std::fabs(b) + std::fabs(c) + law.a.slope(one);
  if (std::fabs(stress) > 1e-6 * size) {
    throw Error(
        "a'(1) + 2 b'(1) + c'(1) = {} + 2 ({}) + {} = {} Pa: must be 0, or the body would not rest in the shape "
        "it is given in; make the points at stretch 1 add up to 0 (only a: give it the point [1, 0])",
        a, b, c, stress);
  }
}

std::unique_ptr<Material> make(const Options& o) {
  const auto curve = [&](const std::string& key) {
    return o.has(key) ? SplineCurve(o.pairs(key), key) : SplineCurve();
  };
  require_increasing(o.pairs("a"), "a");
  const ValanisLandel<SplineCurve> law{curve("a"), curve("b"), curve("c")};
  require_rest(law);
  return make_isotropic(law);
}

}  // namespace

SplineCurve::SplineCurve(const std::vector<Pair>& points, const std::string& option) {
  if (points.size() < 3) throw Error("{}: {} control points given, at least 3 needed", option, points.size());
  for (size_t k = 1; k < points.size(); ++k) {
    if (!(points[k][0] > points[k - 1][0])) {
      throw Error("{}: the stretches of the control points must increase, but {} follows {}", option, points[k][0],
                  points[k - 1][0]);
    }
  }
  const std::vector<double> m = point_slopes(points);
  if (!(m.front() > 0 && m.back() > 0)) {
    throw Error(
        "{}: the stress must increase from the first point to the second and from the last but one to the last "
        "(it goes on as a line on both sides), or the energy falls without end",
        option);
  }
  const double first = points.front()[0];
  pieces_.push_back({first, first, 0, points.front()[1], m.front(), 0, 0});
  double e = 0;
  for (size_t k = 0; k + 1 < points.size(); ++k) {
    const double L = points[k + 1][0] - points[k][0], chord = (points[k + 1][1] - points[k][1]) / L;
    const Piece piece{points[k][0],
                      points[k][0],
                      e,
                      points[k][1],
                      m[k],
                      (3 * chord - 2 * m[k] - m[k + 1]) / L,
                      (m[k] + m[k + 1] - 2 * chord) / (L * L)};
    if (!std::isfinite(piece.c2) || !std::isfinite(piece.c3)) {
      throw Error("{}: the stress from stretch {} to {} is too steep to compute with", option, points[k][0],
                  points[k + 1][0]);
    }
    pieces_.push_back(piece);
    e += L * (piece.c0 + L * (piece.c1 / 2 + L * (piece.c2 / 3 + L * piece.c3 / 4)));
  }
  const double last = points.back()[0];
  pieces_.push_back({last, last, e, points.back()[1], m.back(), 0, 0});
  const double at_rest = energy(1.0);
  for (Piece& piece : pieces_) piece.e -= at_rest;
}

MaterialEntry valanis_landel_spline_entry() {
  const std::string tail = " as points [x, stress], x increasing, at least 3; monotone cubics between, lines beyond";
  return {{"valanis-landel-spline",
           "sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2) with the stresses a', b', c' drawn by control points",
           {Option::pairs("a", "Pa", "stress a'(x) of a stretch x" + tail + "; the stress must increase"),
            Option::pairs("b", "Pa", "stress b'(x) of a product x of two stretches" + tail).optional(),
            Option::pairs("c", "Pa", "stress c'(x) of the volume ratio x" + tail).optional()}},
          make};
}

}  // namespace brio
