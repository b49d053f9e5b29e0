#pragma once
// Stress and stretches of a body of tetrahedra, for people to read: Cauchy stress s = P F^T / det F, von Mises' measure
// of it, and the principal stretches, of each element and of each vertex. An element has the mean over its points of
// evaluation; a vertex the mean over its elements, by volume. Quadratic elements are carried from their four points to
// their vertices by the linear function through them, which is as accurate as the points themselves.

#include "brio/energy/solid_energy.hpp"

namespace brio {

using MatrixX6d = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>;

struct StressValues {
  MatrixX6d cauchy;     ///< xx yy zz xy yz xz, as VTK orders them [Pa]
  VectorXd von_mises;   ///< [Pa]
  MatrixX3d stretches;  ///< principal ones, the largest first

  explicit StressValues(Index rows = 0)
      : cauchy(MatrixX6d::Zero(rows, 6)), von_mises(VectorXd::Zero(rows)), stretches(MatrixX3d::Ones(rows, 3)) {}
};

struct BodyStress {
  StressValues element, vertex;
};

/// How much is wanted: pages show von Mises' measure at the vertices, files all.
enum class StressDetail { vertices, all };

/// What a measurement works in, to be used again.
struct StressRoom {
  using Row = Pack;                      ///< six numbers of one place and their weight
  std::vector<Row> stress, C;            ///< that elements give to their vertices: of each corner, or of all four alike
  std::vector<Row> stress_sums, C_sums;  ///< at the vertices
};

/// Of the mesh at positions x of its vertices. For the vertices alone, there are no rows of elements, and the stretches
/// are left at one. Muscles pull besides and are not in it. Elements that are flat or inside
/// out have no stress to speak of: it is given as zero.
BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x,
                          StressDetail detail = StressDetail::all);
BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x,
                          StressDetail detail, StressRoom& room);

}  // namespace brio
