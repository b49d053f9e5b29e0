#pragma once
// What is true of every sound mesh, computed without the code under test where that is possible.

#include "brio/mesh/surface.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace brio {

double total_volume(const TetMesh& mesh);

double region_volume(const TetMesh& mesh, int region);

/// The volume inside of a closed surface, by the divergence theorem.
double enclosed_volume(const MatrixX3d& X, const MatrixX3i& triangles);

int euler_characteristic(const MatrixX3i& triangles);

/// Every edge of a closed, consistently wound surface without pinches is walked once in each direction.
void expect_closed(const MatrixX3i& triangles);

/// Arrays of one length, positive volumes, one piece, no vertex twice or unused, conforming faces, closed surface.
void expect_sound(const TetMesh& mesh);

}  // namespace brio
