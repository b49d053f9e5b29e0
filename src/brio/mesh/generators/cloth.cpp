#include "brio/mesh/generators/cloth.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"

namespace brio {
namespace {

struct SpringList {
  std::vector<std::array<int, 2>> ends;
  std::vector<int> kinds;
  void add(int kind, int a, int b) {
    ends.push_back({a, b});
    kinds.push_back(kind);
  }
};

}  // namespace

SpringNet make_cloth(double width, double length, int nx, int ny, int u, int v) {
  const char* name = "cloth";
  require_length(name, "width", width);
  require_length(name, "length", length);
  require_at_least(name, "nx", nx, 2);
  require_at_least(name, "ny", ny, 2);
  if (u < 0 || u > 2 || v < 0 || v > 2 || u == v) throw Error("cloth: axes {} and {}: must be two of 0, 1, 2", u, v);
  require_count(name, 6.0 * nx * ny, "use fewer vertices");

  const auto vertex = [&](int i, int j) { return i + nx * j; };
  SpringNet net;
  net.X = MatrixX3d::Zero(static_cast<Index>(nx) * ny, 3);
  net.triangles.resize(2 * static_cast<Index>(nx - 1) * (ny - 1), 3);
  SpringList springs;
  int triangle = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = vertex(i, j);
      net.X(a, u) = width * i / (nx - 1);
      net.X(a, v) = length * j / (ny - 1);
      if (i + 1 < nx) springs.add(0, a, vertex(i + 1, j));
      if (j + 1 < ny) springs.add(0, a, vertex(i, j + 1));
      if (i + 2 < nx) springs.add(2, a, vertex(i + 2, j));
      if (j + 2 < ny) springs.add(2, a, vertex(i, j + 2));
      if (i + 1 == nx || j + 1 == ny) continue;
      const int b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      springs.add(1, a, c);
      springs.add(1, b, d);
      const bool even = (i + j) % 2 == 0;  // alternate cuts, so that the cloth has no preferred diagonal
      net.triangles.row(triangle++) << a, b, (even ? c : d);
      net.triangles.row(triangle++) << (even ? a : b), c, d;
    }
  }
  const Index m = static_cast<Index>(springs.kinds.size());
  net.springs = Eigen::Map<const MatrixX2i>(springs.ends.front().data(), m, 2);
  net.kind = Eigen::Map<const VectorXi>(springs.kinds.data(), m);
  return net;
}

SpringGeneratorEntry cloth_generator() {
  return {{"cloth",
           "a sheet of points with structural, shear and bend springs, from the origin",
           {Option::number("width", "m", "size along the first axis of the plane").with_default(1.0).above(0),
            Option::number("length", "m", "size along the second axis of the plane").with_default(1.0).above(0),
            Option::integer("nx", "vertices along the first axis").with_default(21.0).at_least(2),
            Option::integer("ny", "vertices along the second axis").with_default(21.0).at_least(2),
            Option::choice("plane", {"xy", "yz", "zx", "yx", "zy", "xz"}, "the axes that the cloth spans")
                .with_default("xz")}},
          [](const Options& o) {
            const std::string& plane = o.text("plane");
            return make_cloth(o.number("width"), o.number("length"), o.integer("nx"), o.integer("ny"), plane[0] - 'x',
                              plane[1] - 'x');
          }};
}

}  // namespace brio
