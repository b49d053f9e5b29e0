#pragma once
// Checks shared by all mesh generators: sizes that fit in memory, tetrahedra of positive volume.

#include "brio/mesh/tet_mesh.hpp"

#include <string_view>
#include <vector>

namespace brio {

/// Most tetrahedra, springs or vertices that a generator makes; a larger request is refused as a likely typing error.
constexpr double kMostElements = 2e7;

/// Refuses a request before anything is allocated. `elements` is a double so that no product of counts overflows.
void require_count(std::string_view generator, double elements, std::string_view remedy);

/// Refuses a length that is not above zero, or beyond reason.
void require_length(std::string_view generator, std::string_view name, double meters);

/// Refuses a number of cells, rings, layers … below `least`.
void require_at_least(std::string_view generator, std::string_view name, int value, int least);

/// How many pieces of about `piece` meters fill `length`; as a double, to be checked before it becomes an int.
double pieces(double length, double piece);

/// The mesh of these points and tetrahedra, region 0 and no fibers; refuses one with an inverted or flat tetrahedron,
/// which the generators make only from proportions that leave no room for the shape.
TetMesh finish_mesh(std::string_view generator, MatrixX3d X, const std::vector<std::array<int, 4>>& tets,
                    std::string_view remedy);

}  // namespace brio
