#include "brio/mesh/tet_mesh.hpp"

#include <Eigen/Geometry>

namespace brio {

double tet_volume(const TetMesh& mesh, int tet) {
  const auto corner = [&](int i) -> Vec3 { return mesh.X.row(mesh.T(tet, i)); };
  const Vec3 origin = corner(0);
  return (corner(1) - origin).cross(corner(2) - origin).dot(corner(3) - origin) / 6;
}

}  // namespace brio
