// Meshes from outside: what is not sound is refused with its place, and masses add up.

#include "brio/core/error.hpp"
#include "brio/energy/elastic_energy.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/generators/box.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace brio {
namespace {

/// The corner of a cube, without regions and fibers.
TetMesh corner_tet() {
  TetMesh mesh;
  mesh.X.resize(4, 3);
  mesh.X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  return mesh;
}

std::string refused_mesh(const TetMesh& mesh) {
  try {
    validate(mesh);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Validate, takes_sound_meshes_with_and_without_regions) {
  EXPECT_EQ(refused_mesh(corner_tet()), "");
  EXPECT_EQ(refused_mesh(make_bar(0.4, 0.1, 0.1, 2, 6)), "");
}

TEST(Validate, names_what_is_wrong) {
  TetMesh mesh = corner_tet();
  mesh.T << 0, 1, 2, 2;
  EXPECT_EQ(refused_mesh(mesh), "mesh: tetrahedron 0 (vertices 0, 1, 2, 2): uses a vertex twice");
  mesh.T << 0, 1, 2, 4;
  EXPECT_EQ(refused_mesh(mesh), "mesh: tetrahedron 0 (vertices 0, 1, 2, 4): the mesh has vertices 0 to 3");
  mesh.T << -1, 1, 2, 3;
  EXPECT_EQ(refused_mesh(mesh), "mesh: tetrahedron 0 (vertices -1, 1, 2, 3): the mesh has vertices 0 to 3");
  mesh.T << 0, 2, 1, 3;
  EXPECT_EQ(refused_mesh(mesh),
            "mesh: tetrahedron 0 (vertices 0, 2, 1, 3): is inverted, its volume is -0.167 m^3; load_mesh() and "
            "repair() mend such meshes");
  mesh = corner_tet();
  mesh.X(3, 2) = 0;
  EXPECT_EQ(refused_mesh(mesh),
            "mesh: tetrahedron 0 (vertices 0, 1, 2, 3): is flat, its volume is 0 m^3; load_mesh() and repair() mend "
            "such meshes");
  mesh.X(3, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused_mesh(mesh), "mesh: vertex 3 is at (0, 0, nan): coordinates must be finite");
  mesh = corner_tet();
  mesh.region = VectorXi::Zero(2);
  EXPECT_EQ(refused_mesh(mesh), "mesh: 1 tetrahedra, but 2 regions and 0 fibers: one each is expected");
  EXPECT_EQ(refused_mesh({}), "mesh: empty: 0 vertices and 0 tetrahedra");
}

TEST(Validate, stands_before_the_elastic_energy) {
  const MaterialEntry& row = find_row(isotropic_laws(), "law", "corotated");
  const std::shared_ptr<const Material> law = row.make(Options(row.options, {{"E", 1e5}, {"nu", 0.3}}, "law"));
  TetMesh mesh = corner_tet();
  EXPECT_NO_THROW(ElasticEnergy(mesh, {{law, {0}}}));
  EXPECT_THROW(ElasticEnergy(mesh, {{law, {1}}}), Error);
  EXPECT_THROW(ElasticEnergy(mesh, {{nullptr, {0}}}), Error);
  EXPECT_THROW(ElasticEnergy(mesh, {{law, {0}, {1.0, 2.0}}}), Error);
  mesh.T << 0, 2, 1, 3;
  EXPECT_THROW(ElasticEnergy(mesh, {{law, {0}}}), Error);
}

TEST(LumpedMass, is_a_quarter_of_each_tetrahedron_at_each_of_its_corners) {
  const VectorXd one = lumped_mass(corner_tet(), 1200);
  EXPECT_TRUE(one.isApproxToConstant(1200.0 / 24, 1e-15));
  const TetMesh bar = make_bar(0.4, 0.1, 0.2, 3, 6);
  const VectorXd mass = lumped_mass(bar, 1000);
  EXPECT_NEAR(mass.sum(), 1000 * 0.4 * 0.1 * 0.2, 1e-12);
  // The center of mass is that of the box.
  EXPECT_LT((bar.X.transpose() * mass / mass.sum() -
             (bar.X.colwise().maxCoeff() + bar.X.colwise().minCoeff()).transpose() / 2)
                .norm(),
            1e-12);
  EXPECT_THROW(lumped_mass(bar, 0), Error);
  EXPECT_THROW(lumped_mass(bar, std::numeric_limits<double>::infinity()), Error);
}

}  // namespace
}  // namespace brio
