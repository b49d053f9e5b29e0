#include "brio/mesh/generators/sweep.hpp"

#include "brio/mesh/generated.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {

PlaneFigure make_disc(double radius, int rings) {
  PlaneFigure disc;
  disc.points.emplace_back(0, 0);
  for (int k = 1; k <= rings; ++k) {
    for (int j = 0; j < 6 * k; ++j) {
      const double angle = std::numbers::pi * j / (3 * k);
      disc.points.emplace_back(radius * k / rings * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
  }
  const auto vertex = [](int ring, int j) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + j % (6 * ring); };
  for (int k = 1; k <= rings; ++k) {
    for (int sector = 0; sector < 6; ++sector) {
      for (int j = 0; j < k; ++j) {
        const int outer = sector * k + j, inner = sector * (k - 1) + j;
        disc.triangles.push_back({vertex(k - 1, inner), vertex(k, outer), vertex(k, outer + 1)});
        if (j < k - 1) disc.triangles.push_back({vertex(k - 1, inner), vertex(k, outer + 1), vertex(k - 1, inner + 1)});
      }
    }
  }
  return disc;
}

void add_prism(std::array<int, 3> bottom, std::array<int, 3> top, std::vector<std::array<int, 4>>& tets) {
  // Sorting by the bottom's numbers fixes the cuts; each exchange turns the winding.
  bool turned = false;
  const auto order = [&](int i, int j) {
    if (bottom[i] < bottom[j]) return;
    std::swap(bottom[i], bottom[j]);
    std::swap(top[i], top[j]);
    turned = !turned;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  const auto add = [&](int a, int b, int c, int d) {
    tets.push_back(turned ? std::array{b, a, c, d} : std::array{a, b, c, d});
  };
  add(bottom[0], bottom[1], bottom[2], top[2]);
  add(bottom[0], top[1], bottom[1], top[2]);
  add(bottom[0], top[0], top[1], top[2]);
}

TetMesh sweep(std::string_view generator, const PlaneFigure& figure, int layers, const Placement& place,
              std::string_view remedy) {
  const int n = static_cast<int>(figure.points.size());
  require_count(generator, swept_tets(figure.triangles.size(), layers), remedy);
  MatrixX3d X(static_cast<Index>(n) * (layers + 1), 3);
  for (int layer = 0; layer <= layers; ++layer) {
    for (int i = 0; i < n; ++i) X.row(layer * n + i) = place(layer, figure.points[i]);
  }

  std::vector<std::array<int, 4>> tets;
  tets.reserve(3 * figure.triangles.size() * layers);
  for (int layer = 0; layer < layers; ++layer) {
    for (const auto& [a, b, c] : figure.triangles) {
      const int low = layer * n, high = low + n;
      // Every second layer is cut upside down, so that the cuts do not wind around the body and make it twist.
      if (layer % 2 == 0) {
        add_prism({low + a, low + b, low + c}, {high + a, high + b, high + c}, tets);
      } else {
        add_prism({high + a, high + c, high + b}, {low + a, low + c, low + b}, tets);
      }
    }
  }

  TetMesh mesh = finish_mesh(generator, std::move(X), tets, remedy);
  if (!figure.region.empty()) {
    for (int t = 0; t < mesh.tets(); ++t) mesh.region[t] = figure.region[t / 3 % figure.triangles.size()];
  }
  return mesh;
}

}  // namespace brio
