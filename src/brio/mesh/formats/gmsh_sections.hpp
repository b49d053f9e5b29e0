#pragma once
// The sections of a Gmsh file that the formats 1, 2 and 4.1 write differently. Each function starts after the line of
// the section's name and ends before its $End.

#include "brio/mesh/formats/gmsh_mesh.hpp"

#include <limits>

namespace brio {

/// Tags are 32-bit.
inline constexpr int kMostGmshTag = std::numeric_limits<int>::max();

void read_nodes_2(GmshInput& in, GmshMesh& mesh);  ///< format 1 as well
void read_elements_1(GmshInput& in, GmshMesh& mesh);
void read_elements_2(GmshInput& in, GmshMesh& mesh);

/// The physical groups of each entity of the model, by dimension and tag.
using GmshEntities = std::map<std::pair<int, int>, std::vector<int>>;
GmshEntities read_entities_4(GmshInput& in);
void read_nodes_4(GmshInput& in, GmshMesh& mesh);
/// `entities` is null for a file without them: then nothing belongs to a group.
void read_elements_4(GmshInput& in, const GmshEntities* entities, GmshMesh& mesh);

}  // namespace brio
