#include "brio/mesh/generated.hpp"

#include "brio/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

void require_count(std::string_view generator, double elements, std::string_view remedy) {
  if (!(elements <= kMostElements)) {
    throw Error("{}: asks for {:.4g} elements, more than the {:.0f} that a generated mesh may have; {}", generator,
                elements, kMostElements, remedy);
  }
}

void require_length(std::string_view generator, std::string_view name, double meters) {
  // Far outside of these bounds volumes leave the range of a double.
  if (!(meters >= 1e-30 && meters <= 1e30)) {
    throw Error("{}: {} = {}: must be a length between 1e-30 and 1e30 m", generator, name, meters);
  }
}

void require_at_least(std::string_view generator, std::string_view name, int value, int least) {
  if (value < least) throw Error("{}: {} = {}: must be at least {}", generator, name, value, least);
}

double pieces(double length, double piece) { return std::max(1.0, std::round(length / piece)); }

TetMesh finish_mesh(std::string_view generator, MatrixX3d X, const std::vector<std::array<int, 4>>& tets,
                    std::string_view remedy) {
  const Index m = static_cast<Index>(tets.size());
  TetMesh mesh{std::move(X), MatrixX4i(m, 4), VectorXi::Zero(m), MatrixX3d::Zero(m, 3)};
  for (int t = 0; t < m; ++t) {
    mesh.T.row(t) = Eigen::Map<const Eigen::RowVector4i>(tets[t].data());
    const double volume = tet_volume(mesh, t);
    if (!std::isfinite(volume) || volume <= 0) {
      throw Error("{}: these proportions give tetrahedron {} a volume of {} m^3; {}", generator, t, volume, remedy);
    }
  }
  return mesh;
}

}  // namespace brio
