#pragma once
// The sections of a Gmsh file that the formats 2.2 and 4.1 write differently. Each function starts on the line of the
// section's name and ends on the last line before its $End.

#include "brio/mesh/gmsh_mesh.hpp"

namespace brio {

/// Goes to the line of the next item of a section, of which `announced` should come and `seen` have.
void next_item(TextReader& in, std::string_view items, std::int64_t announced, std::int64_t seen);

void read_nodes_2(TextReader& in, GmshMesh& mesh);
void read_elements_2(TextReader& in, GmshMesh& mesh);

/// The physical groups of each entity of the model, by dimension and tag.
using GmshEntities = std::map<std::pair<int, int>, std::vector<int>>;
GmshEntities read_entities_4(TextReader& in);
void read_nodes_4(TextReader& in, GmshMesh& mesh);
/// `entities` is null for a file without them: then nothing belongs to a group.
void read_elements_4(TextReader& in, const GmshEntities* entities, GmshMesh& mesh);

}  // namespace brio
