#include "brio/mesh/generators/rope.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/generators/sweep.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// The curve (R cos a, c a, -R sin a) with its Frenet frame; a helix has the same curvature and torsion everywhere.
struct Helix {
  double R, c;

  double speed() const { return std::hypot(R, c); }  // arc length per radian [m]
  double radius_of_curvature() const { return speed() * speed() / R; }
  double torsion_per_radian() const { return c / speed(); }
  Vec3 point(double a) const { return {R * std::cos(a), c * a, -R * std::sin(a)}; }
  Vec3 normal(double a) const { return {-std::cos(a), 0, std::sin(a)}; }  // towards the axis
  Vec3 binormal(double a) const { return Vec3(c * std::sin(a), R, c * std::cos(a)) / speed(); }
  /// Between two points `a` radians apart along the curve [m].
  double distance(double a) const { return std::hypot(2 * R * std::sin(a / 2), c * a); }
};

/// The nearest that the middle of the rope comes to itself one turn on.
double coil_gap(const Helix& helix, double turns) {
  constexpr int kSamples = 256;
  const double last = std::min(turns, 1.5) * kTurn;
  double gap = helix.distance(last);
  for (int i = 0; i < kSamples; ++i) {
    gap = std::min(gap, helix.distance(kTurn / 2 + (last - kTurn / 2) * i / kSamples));
  }
  return gap;
}

void require_room(const Coil& coil, const Helix& helix) {
  if (coil.rope_radius >= helix.radius_of_curvature()) {
    throw Error("rope: rope_radius = {}: must be below the coil's radius of curvature, {:.4g} m", coil.rope_radius,
                helix.radius_of_curvature());
  }
  if (coil.turns > 0.5 && coil_gap(helix, coil.turns) <= 2 * coil.rope_radius) {
    throw Error("rope: the coils touch: their middles come within {:.4g} m and rope_radius is {}; use a larger pitch",
                coil_gap(helix, coil.turns), coil.rope_radius);
  }
}

}  // namespace

TetMesh make_rope(const Coil& coil) {
  const char* name = "rope";
  require_length(name, "coil_radius", coil.coil_radius);
  require_length(name, "pitch", coil.pitch);
  require_length(name, "rope_radius", coil.rope_radius);
  if (!std::isfinite(coil.turns) || coil.turns <= 0) throw Error("rope: turns = {}: must be > 0", coil.turns);
  require_at_least(name, "resolution", coil.resolution, 1);
  require_at_least(name, "segments_per_turn", coil.segments_per_turn, 6);
  const Helix helix{coil.coil_radius, coil.pitch / kTurn};
  require_room(coil, helix);
  const double layers = pieces(coil.turns, 1.0 / coil.segments_per_turn);
  require_count(name, swept_tets(6.0 * coil.resolution * coil.resolution, layers),
                "use a lower resolution, fewer turns or fewer segments per turn");

  return sweep(
      name, make_disc(coil.rope_radius, coil.resolution), static_cast<int>(layers),
      [&](int layer, const Eigen::Vector2d& p) -> Vec3 {
        const double a = coil.turns * kTurn * layer / layers;
        // The Frenet frame turns with the torsion; turning the disc back keeps the prisms free of twist.
        const Eigen::Vector2d q = Eigen::Rotation2Dd(-helix.torsion_per_radian() * a) * p;
        return helix.point(a) + q[0] * helix.normal(a) + q[1] * helix.binormal(a);
      },
      "use more segments per turn or a thinner rope");
}

GeneratorEntry rope_generator() {
  const Coil usual;
  return {
      {"rope",
       "a rope coiled around the y axis",
       {Option::number("coil_radius", "m", "from the y axis to the middle of the rope")
            .with_default(usual.coil_radius)
            .above(0),
        Option::number("pitch", "m", "rise along y for each turn").with_default(usual.pitch).above(0),
        Option::number("turns", "", "number of turns").with_default(usual.turns).above(0),
        Option::number("rope_radius", "m", "half the thickness of the rope").with_default(usual.rope_radius).above(0),
        Option::integer("resolution", "elements over the radius of the rope")
            .with_default(static_cast<double>(usual.resolution))
            .at_least(1),
        Option::integer("segments_per_turn", "elements along the rope for each turn")
            .with_default(static_cast<double>(usual.segments_per_turn))
            .at_least(6)}},
      [](const Options& o) {
        return make_rope({o.number("coil_radius"), o.number("pitch"), o.number("turns"), o.number("rope_radius"),
                          o.integer("resolution"), o.integer("segments_per_turn")});
      }};
}

}  // namespace brio
