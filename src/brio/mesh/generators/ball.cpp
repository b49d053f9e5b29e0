#include "brio/mesh/generators/ball.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/generators/sweep.hpp"
#include "brio/mesh/surface.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace brio {
namespace {

// An icosahedron is twenty near-regular tetrahedra around its center. Each is filled with the lattice of points
// a A + b B + c C, a + b + c <= n, and every lattice plane a + b + c = k is pressed onto a sphere of its own: the
// layers. All faces between the twenty are cut by the lattice alone, so that they agree.

std::array<Vec3, 12> icosahedron() {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  std::array<Vec3, 12> corners;
  for (int i = 0; i < 12; ++i) {
    Vec3 x;
    const int axis = i / 4;
    x[axis] = 0;
    x[(axis + 1) % 3] = i & 1 ? 1 : -1;
    x[(axis + 2) % 3] = i & 2 ? golden : -golden;
    corners[i] = x.normalized();
  }
  return corners;
}

std::vector<std::array<int, 3>> icosahedron_faces(const std::array<Vec3, 12>& corners) {
  const auto joined = [&](int i, int j) { return corners[i].dot(corners[j]) > 0.4; };  // 0.447 if neighbors, else < 0
  std::vector<std::array<int, 3>> faces;
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        if (!joined(i, j) || !joined(j, k) || !joined(k, i)) continue;
        const bool outward = corners[i].cross(corners[j]).dot(corners[k]) > 0;
        faces.push_back(outward ? std::array{i, j, k} : std::array{i, k, j});
      }
  return faces;
}

class LatticeBall {
 public:
  /// `radii` of layer 0, which is the center, to the outermost [m].
  explicit LatticeBall(std::vector<double> radii) : radii_(std::move(radii)) {
    for (const auto& face : icosahedron_faces(corners_)) fill(face);
  }

  std::vector<Vec3> points;
  std::vector<std::array<int, 4>> tets;
  std::vector<int> layer_of_tet;  ///< k for a tetrahedron between layers k - 1 and k

 private:
  /// The lattice point with these weights on the corners of a face; neighboring faces find the same one.
  int vertex(const std::array<int, 3>& face, std::array<int, 3> weight) {
    std::array<std::uint64_t, 3> part;
    for (int i = 0; i < 3; ++i) part[i] = weight[i] == 0 ? 0 : 1 + face[i] + 16u * weight[i];
    std::sort(part.begin(), part.end());
    const auto [entry, fresh] = known_.try_emplace(part[0] << 42 | part[1] << 21 | part[2], points.size());
    if (fresh) {
      Vec3 x = Vec3::Zero();
      for (int i = 0; i < 3; ++i) x += weight[i] * corners_[face[i]];
      const int layer = weight[0] + weight[1] + weight[2];
      points.push_back(layer == 0 ? x : Vec3(radii_[layer] * x.normalized()));
    }
    return entry->second;
  }

  void add(int layer, int a, int b, int c, int d) {
    tets.push_back({a, b, c, d});
    layer_of_tet.push_back(layer);
  }

  /// The octahedron in the middle of a lattice cube, cut along its shortest diagonal for the best angles.
  void add_octahedron(int layer, const std::array<int, 8>& v) {
    constexpr int kCuts[3][6] = {{1, 6, 2, 3, 5, 4}, {2, 5, 4, 6, 3, 1}, {4, 3, 1, 5, 6, 2}};  // ends, then the ring
    const auto length = [&](const int* cut) { return (points[v[cut[0]]] - points[v[cut[1]]]).norm(); };
    const auto* best = kCuts[0];
    for (const auto& cut : kCuts)
      if (length(cut) < length(best) * (1 - 1e-9)) best = cut;
    for (int i = 0; i < 4; ++i) add(layer, v[best[0]], v[best[1]], v[best[2 + (i + 1) % 4]], v[best[2 + i]]);
  }

  void fill(const std::array<int, 3>& face) {
    const int n = static_cast<int>(radii_.size()) - 1;
    for (int a = 0; a < n; ++a)
      for (int b = 0; a + b < n; ++b)
        for (int c = 0; a + b + c < n; ++c) {
          const int layer = a + b + c + 1;
          std::array<int, 8> v{};  // corners of the lattice cube by bits, as far as they lie in the ball
          for (int i = 0; i < 8; ++i) {
            const std::array weight{a + (i & 1), b + (i >> 1 & 1), c + (i >> 2)};
            if (weight[0] + weight[1] + weight[2] <= n) v[i] = vertex(face, weight);
          }
          add(layer, v[0], v[1], v[2], v[4]);
          if (layer + 1 <= n) add_octahedron(layer + 1, v);
          if (layer + 2 <= n) add(layer + 2, v[7], v[5], v[6], v[3]);
        }
  }

  std::vector<double> radii_;
  std::array<Vec3, 12> corners_ = icosahedron();
  std::unordered_map<std::uint64_t, int> known_;
};

MatrixX3d as_matrix(const std::vector<Vec3>& points) {
  MatrixX3d X(static_cast<Index>(points.size()), 3);
  for (size_t i = 0; i < points.size(); ++i) X.row(i) = points[i];
  return X;
}

/// Radii of `core_layers` equal layers up to `core`, then of `shell_layers` equal ones up to `radius`.
std::vector<double> layer_radii(double core, int core_layers, double radius, int shell_layers) {
  std::vector<double> radii;
  for (int k = 0; k <= core_layers; ++k) radii.push_back(core * k / core_layers);
  for (int k = 1; k <= shell_layers; ++k) radii.push_back(core + (radius - core) * k / shell_layers);
  return radii;
}

constexpr const char* kRemedy = "use a thicker shell, a higher resolution, or a radius nearer to 1 m";

TetMesh lattice_ball(int core_layers, std::vector<double> radii) {
  const LatticeBall ball(std::move(radii));
  TetMesh mesh = finish_mesh("ball", as_matrix(ball.points), ball.tets, kRemedy);
  for (int t = 0; t < mesh.tets(); ++t) mesh.region[t] = ball.layer_of_tet[t] > core_layers ? 1 : 0;
  return mesh;
}

/// The core with one layer of prisms raised on its surface: right for shells much thinner than the elements, where the
/// flat faces of a coarser lattice layer would cut into the core.
TetMesh with_thin_shell(const TetMesh& core, double growth) {
  const MatrixX3i surface = boundary_triangles(core);
  std::vector<Vec3> points;
  for (int i = 0; i < core.vertices(); ++i) points.emplace_back(core.X.row(i));
  std::vector<std::array<int, 4>> tets;
  for (int t = 0; t < core.tets(); ++t) tets.push_back({core.T(t, 0), core.T(t, 1), core.T(t, 2), core.T(t, 3)});
  std::vector<int> raised(core.vertices(), -1);
  for (int i : surface_vertices(surface)) {
    raised[i] = static_cast<int>(points.size());
    points.push_back(growth * points[i]);
  }
  for (int f = 0; f < surface.rows(); ++f) {
    const std::array bottom{surface(f, 0), surface(f, 1), surface(f, 2)};
    add_prism(bottom, {raised[bottom[0]], raised[bottom[1]], raised[bottom[2]]}, tets);
  }
  TetMesh mesh = finish_mesh("ball", as_matrix(points), tets, kRemedy);
  mesh.region.tail(mesh.tets() - core.tets()).setOnes();
  return mesh;
}

}  // namespace

TetMesh make_ball(double radius, double shell, int resolution) {
  const char* name = "ball";
  require_length(name, "radius", radius);
  require_at_least(name, "resolution", resolution, 2);
  if (!(shell >= 0 && shell < radius)) {
    throw Error("ball: shell = {}: must be at least 0 and below the radius, {} m", shell, radius);
  }
  const double n = resolution;
  require_count(name, 20 * n * n * (n + 3), "use a lower resolution");

  const double layers_in_shell = resolution * shell / radius;
  if (shell == 0) return lattice_ball(resolution, layer_radii(radius, resolution, radius, 0));
  if (layers_in_shell < 0.5) {
    const TetMesh core = lattice_ball(resolution, layer_radii(radius - shell, resolution, radius, 0));
    return with_thin_shell(core, radius / (radius - shell));
  }
  const int shell_layers = std::clamp(static_cast<int>(std::round(layers_in_shell)), 1, resolution - 1);
  const int core_layers = resolution - shell_layers;
  return lattice_ball(core_layers, layer_radii(radius - shell, core_layers, radius, shell_layers));
}

GeneratorEntry ball_generator() {
  return {{"ball",
           "a solid ball around the origin: region 0 is the core, region 1 the shell",
           {Option::number("radius", "m", "outer radius").with_default(0.5).above(0),
            Option::number("shell", "m", "thickness of the shell, 0 for none").with_default(0.0).at_least(0),
            Option::integer("resolution", "elements over the radius").with_default(6.0).at_least(2)}},
          [](const Options& o) { return make_ball(o.number("radius"), o.number("shell"), o.integer("resolution")); }};
}

}  // namespace brio
