#include "brio/mesh/stuffing/stuffing_angles.hpp"

#include "brio/core/parallel.hpp"
#include "brio/mesh/stuffing/stuffing_root.hpp"
#include "brio/mesh/stuffing/stuffing_thickness.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// How far a tetrahedron's angles are within the bounds, as a difference of cosines: negative outside of them or
/// for one that is inside out.
class AngleMargin {
 public:
  AngleMargin(double least, double most)
      : greatest_(std::cos(least * M_PI / 180)), least_(std::cos(most * M_PI / 180)) {}

  double operator()(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
    if (!((b - a).cross(c - a).dot(d - a) > 0)) return -2;
    const std::array<Vec3, 4> normal{(c - b).cross(d - b).normalized(), (d - a).cross(c - a).normalized(),
                                     (b - a).cross(d - a).normalized(), (c - a).cross(b - a).normalized()};
    double margin = 1;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) {
        const double cosine = -normal[i].dot(normal[j]);
        margin = std::min({margin, greatest_ - cosine, cosine - least_});
      }
    return margin;
  }

 private:
  double greatest_, least_;
};

}  // namespace

std::vector<int> improve_angles(const SignedDistance& body, CutCells& cut, double least, double most) {
  TetMesh& mesh = cut.mesh;
  const AngleMargin margin(least, most);
  const auto margin_of = [&](int t) {
    return margin(mesh.X.row(mesh.T(t, 0)), mesh.X.row(mesh.T(t, 1)), mesh.X.row(mesh.T(t, 2)),
                  mesh.X.row(mesh.T(t, 3)));
  };
  const auto bad_tets = [&] {
    std::vector<char> is_bad(mesh.tets());
    parallel_for(mesh.tets(), 4096, [&](int begin, int end) {
      for (int t = begin; t < end; ++t) is_bad[t] = margin_of(t) < 0;
    });
    std::vector<int> bad;
    for (int t = 0; t < mesh.tets(); ++t)
      if (is_bad[t]) bad.push_back(t);
    return bad;
  };
  std::vector<int> bad = bad_tets();
  if (bad.empty()) return bad;
  std::vector<std::vector<int>> around(mesh.vertices());
  for (int t = 0; t < mesh.tets(); ++t)
    for (int c = 0; c < 4; ++c) around[mesh.T(t, c)].push_back(t);
  // The worst margin around a vertex; a move must raise it.
  const auto worst_around = [&](int v) {
    double worst = 1;
    for (int t : around[v]) worst = std::min(worst, margin_of(t));
    return worst;
  };
  const auto onto_surface = [&](Vec3 x, double scale) {  // Newton's method along the gradient
    for (int step = 0; step < 6; ++step) {
      const double value = body.value(x);
      if (std::fabs(value) < kCutTolerance * scale) break;
      const Vec3 gradient = distance_gradient(body, x, 1e-3 * scale);
      if (!(gradient.squaredNorm() > 0.01)) break;
      x -= value * gradient / gradient.squaredNorm();
    }
    return x;
  };
  for (int sweep = 0; sweep < 8 && !bad.empty(); ++sweep) {
    std::vector<int> moved;
    for (int t : bad)
      for (int c = 0; c < 4; ++c) moved.push_back(mesh.T(t, c));
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    for (int v : moved) {
      const Vec3 start = mesh.X.row(v);
      double scale = INFINITY, before = worst_around(v);
      if (before > 0.02) continue;
      for (int t : around[v])
        for (int c = 0; c < 4; ++c)
          if (mesh.T(t, c) != v) scale = std::min(scale, (Vec3(mesh.X.row(mesh.T(t, c))) - start).norm());
      Vec3 best = start;
      for (double step = 0.3 * scale; step > 0.02 * scale && before < 0.05; step *= 0.5) {
        const Vec3 center = best;
        for (int k = 0; k < 26; ++k) {
          const int code = k < 13 ? k : k + 1;
          Vec3 x = center + step * Vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1).normalized();
          if (cut.on_surface[v]) {
            x = onto_surface(x, scale);
            if (std::fabs(body.value(x)) > 1e-5 * scale || (x - center).norm() > 2 * step) continue;
          }
          mesh.X.row(v) = x;
          if (const double now = worst_around(v); now > before + 1e-6) before = now, best = x;
        }
        mesh.X.row(v) = best;
      }
      mesh.X.row(v) = best;
    }
    bad = bad_tets();
  }
  return bad;
}

}  // namespace brio
