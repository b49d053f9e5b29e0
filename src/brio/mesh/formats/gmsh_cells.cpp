#include "brio/mesh/formats/gmsh_input.hpp"

namespace brio {
namespace {

constexpr int kGmshMid[] = {0, 2, 3, 1, 5, 4};  // its edges: 01 12 02 03 23 13

constexpr CellType kGmshCells[] = {
    {15, 0, 1, 1, "points"},      {1, 1, 2, 2, "lines"},        {8, 1, 2, 3, "lines"},
    {26, 1, 2, 4, "lines"},       {27, 1, 2, 5, "lines"},       {28, 1, 2, 6, "lines"},
    {2, 2, 3, 3, "triangles"},    {9, 2, 3, 6, "triangles"},    {20, 2, 3, 9, "triangles"},
    {21, 2, 3, 10, "triangles"},  {22, 2, 3, 12, "triangles"},  {23, 2, 3, 15, "triangles"},
    {24, 2, 3, 15, "triangles"},  {25, 2, 3, 21, "triangles"},  {3, 2, 4, 4, "quadrangles"},
    {10, 2, 4, 9, "quadrangles"}, {16, 2, 4, 8, "quadrangles"}, {4, 3, 4, 4, "tetrahedra"},
    {11, 3, 4, 10, "tetrahedra", kGmshMid}, {29, 3, 4, 20, "tetrahedra"}, {30, 3, 4, 35, "tetrahedra"},
    {31, 3, 4, 56, "tetrahedra"}, {5, 3, 8, 8, "hexahedra"},    {12, 3, 8, 27, "hexahedra"},
    {17, 3, 8, 20, "hexahedra"},  {92, 3, 8, 64, "hexahedra"},  {93, 3, 8, 125, "hexahedra"},
    {6, 3, 6, 6, "prisms"},       {13, 3, 6, 18, "prisms"},     {18, 3, 6, 15, "prisms"},
    {7, 3, 5, 5, "pyramids"},     {14, 3, 5, 14, "pyramids"},   {19, 3, 5, 13, "pyramids"},
};

}  // namespace

std::span<const CellType> gmsh_cells() { return kGmshCells; }

}  // namespace brio
