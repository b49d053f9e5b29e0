#include "brio/mesh/tet_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/quadratic.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

void check_tet(const TetMesh& mesh, int t, const std::string& where) {
  std::array<int, 4> v{mesh.T(t, 0), mesh.T(t, 1), mesh.T(t, 2), mesh.T(t, 3)};
  std::sort(v.begin(), v.end());
  if (v[0] < 0 || v[3] >= mesh.vertices())
    throw Error("{}: {}: the mesh has vertices 0 to {}", where, tet_text(mesh, t), mesh.vertices() - 1);
  if (std::adjacent_find(v.begin(), v.end()) != v.end())
    throw Error("{}: {}: uses a vertex twice", where, tet_text(mesh, t));
  if (mesh.fiber.rows() > 0 && !mesh.fiber.row(t).allFinite())
    throw Error("{}: {}: its fiber is not finite", where, tet_text(mesh, t));
  if (!std::isfinite(tet_volume(mesh, t)))
    throw Error("{}: {}: too large to have a volume; check the unit of length", where, tet_text(mesh, t));
}

}  // namespace

void validate_arrays(const TetMesh& mesh, const std::string& where) {
  if (mesh.vertices() == 0 || mesh.tets() == 0)
    throw Error("{}: empty: {} vertices and {} tetrahedra", where, mesh.vertices(), mesh.tets());
  const auto fits = [&](Index rows) { return rows == 0 || rows == mesh.tets(); };
  if (!fits(mesh.mid.rows()))
    throw Error("{}: {} tetrahedra, but {} have vertices on their edges: all or none", where, mesh.tets(),
                mesh.mid.rows());
  if (!fits(mesh.region.size()) || !fits(mesh.fiber.rows()))
    throw Error("{}: {} tetrahedra, but {} regions and {} fibers: one each is expected", where, mesh.tets(),
                mesh.region.size(), mesh.fiber.rows());
  for (int i = 0; i < mesh.vertices(); ++i)
    if (!mesh.X.row(i).allFinite())
      throw Error("{}: vertex {} is at ({}, {}, {}): coordinates must be finite", where, i, mesh.X(i, 0), mesh.X(i, 1),
                  mesh.X(i, 2));
  for (int t = 0; t < mesh.tets(); ++t) check_tet(mesh, t, where);
  validate_edges(mesh, where);
}

void validate(const TetMesh& mesh, const std::string& where) {
  validate_arrays(mesh, where);
  for (int t = 0; t < mesh.tets(); ++t)
    if (const double volume = tet_volume(mesh, t); !(volume > 0))
      throw Error("{}: {}: is {}, its volume is {:.3g} m^3; load_mesh() and repair() mend such meshes", where,
                  tet_text(mesh, t), volume < 0 ? "inverted" : "flat", volume);
  refuse_folds(mesh, where);
}

VectorXd lumped_mass(const TetMesh& mesh, double density) {
  if (!(density > 0) || !std::isfinite(density)) throw Error("density = {}: expected a number > 0 [kg/m^3]", density);
  validate(mesh);
  VectorXd mass = VectorXd::Zero(mesh.vertices());
  for (int t = 0; t < mesh.tets(); ++t) add_lumped_mass(mesh, t, density, mass);
  return mass;
}

std::string tet_text(const TetMesh& mesh, int tet) {
  return fmt::format("tetrahedron {} (vertices {}, {}, {}, {})", tet, mesh.T(tet, 0), mesh.T(tet, 1), mesh.T(tet, 2),
                     mesh.T(tet, 3));
}

double tet_volume(const TetMesh& mesh, int tet) {
  const auto corner = [&](int i) -> Vec3 { return mesh.X.row(mesh.T(tet, i)); };
  const Vec3 origin = corner(0);
  return (corner(1) - origin).cross(corner(2) - origin).dot(corner(3) - origin) / 6;
}

}  // namespace brio
