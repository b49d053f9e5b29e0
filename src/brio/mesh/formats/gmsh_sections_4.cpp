#include "brio/mesh/formats/gmsh_sections.hpp"

#include <algorithm>
#include <cstdlib>

namespace brio {
namespace {

// More groups around one entity would let a small file grow to any size in memory.
constexpr int kMostGroups = 16;

std::vector<int> read_groups(GmshInput& in) {
  const std::int64_t count = in.size("number of physical tags", 0);
  if (count > kMostGroups) {
    in.text.fail("number of physical tags = {}: an entity may be in {} groups at most", count, kMostGroups);
  }
  std::vector<int> groups;
  for (std::int64_t i = 0; i < count; ++i) {
    // The sign tells the orientation, which a set of vertices does not have.
    const int tag = std::abs(static_cast<int>(in.integer("physical tag", -kMostGmshTag, kMostGmshTag)));
    if (tag == 0) in.text.fail("physical tag = 0: must not be 0");
    if (std::find(groups.begin(), groups.end(), tag) == groups.end()) groups.push_back(tag);
  }
  return groups;
}

void read_entity(GmshInput& in, int dimension, GmshEntities& entities) {
  const int tag = static_cast<int>(in.integer("entity tag", -kMostGmshTag, kMostGmshTag));
  const int bounds = dimension == 0 ? 3 : 6;  // a point, or the corners of a bounding box
  for (int i = 0; i < bounds; ++i) in.real("coordinate of an entity");
  if (!entities.emplace(std::pair(dimension, tag), read_groups(in)).second) {
    in.text.fail("entity {} of dimension {} is listed twice", tag, dimension);
  }
  if (dimension > 0) {
    const std::int64_t boundary = in.count("number of bounding entities", 2, 4);
    for (std::int64_t i = 0; i < boundary; ++i) in.integer("bounding entity");
  }
  in.end();
}

struct BlockHeader {
  std::int64_t blocks, items;
};

/// "blocks items least-tag greatest-tag", the first line of nodes and of elements.
BlockHeader read_header(GmshInput& in, std::string_view what, int bytes_each, int bytes_in_binary) {
  in.begin(what);
  const std::int64_t blocks = in.count("number of blocks", 8, 20);
  const std::int64_t items = in.count(what, bytes_each, bytes_in_binary);
  in.size("least tag", 0);
  in.size("greatest tag", 0);
  in.end();
  return {blocks, items};
}

void require_total(const TextReader& in, std::string_view what, std::int64_t announced, std::int64_t found) {
  if (found != announced) in.fail("{} {} are announced, but the blocks hold {}", announced, what, found);
}

}  // namespace

GmshEntities read_entities_4(GmshInput& in) {
  in.begin("numbers of entities");
  std::array<std::int64_t, 4> counts;
  for (auto& count : counts) count = in.count("number of entities", 10, 36);
  in.end();
  GmshEntities entities;
  for (int dimension = 0; dimension <= 3; ++dimension) {
    for (std::int64_t i = 0; i < counts[dimension]; ++i) {
      in.item("entities", counts[dimension], i);
      read_entity(in, dimension, entities);
    }
  }
  return entities;
}

void read_nodes_4(GmshInput& in, GmshMesh& mesh) {
  const auto [blocks, total] = read_header(in, "number of nodes", 8, 32);
  mesh.reserve_nodes(total);
  std::int64_t found = 0;
  std::vector<std::int64_t> tags;
  for (std::int64_t block = 0; block < blocks; ++block) {
    in.item("blocks of nodes", blocks, block);
    const std::int64_t dimension = in.integer("dimension of the block", 0, 3);
    in.integer("entity of the block");
    const bool parametric = in.integer("parametric", 0, 1) == 1;
    const std::int64_t count = in.count("number of nodes in the block", 8, 32);
    in.end();
    tags.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      in.item("nodes of a block", count, i);
      tags.push_back(in.size("node tag", 0));
      in.end();
    }
    for (std::int64_t i = 0; i < count; ++i) {
      in.item("coordinates of a block", count, i);
      const double x = in.real("x"), y = in.real("y"), z = in.real("z");
      if (parametric) {
        const std::int64_t most = in.binary ? dimension : 3;
        for (int k = 0; k < most && (in.binary || !in.text.line_is_used_up()); ++k) in.real("parametric coordinate");
      }
      in.end();
      mesh.add_node(tags[i], {x, y, z}, in.text.line_number());
    }
    found += count;
  }
  require_total(in.text, "nodes", total, found);
  mesh.finish_nodes(in.text);
}

void read_elements_4(GmshInput& in, const GmshEntities* entities, GmshMesh& mesh) {
  const auto [blocks, total] = read_header(in, "number of elements", 4, 16);
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < blocks; ++block) {
    in.item("blocks of elements", blocks, block);
    const int dimension = static_cast<int>(in.integer("dimension of the block", 0, 3));
    const int entity = static_cast<int>(in.integer("entity of the block", -kMostGmshTag, kMostGmshTag));
    const CellType& cell = mesh.cell_type(in);
    if (cell.dimension != dimension) in.text.fail("{} in a block of dimension {}", cell.name, dimension);
    const std::int64_t count = in.count("number of elements in the block", 4, 16);
    in.end();
    std::span<const int> groups;
    if (entities) {
      const auto known = entities->find({dimension, entity});
      if (known == entities->end()) in.text.fail("entity {} of dimension {} is not in $Entities", entity, dimension);
      groups = known->second;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      in.item("elements of a block", count, i);
      in.size("element tag", 0);
      mesh.add_cell(in.text, cell, groups, [&] { return in.size("node tag"); });
      in.end();
    }
    found += count;
  }
  require_total(in.text, "elements", total, found);
}

}  // namespace brio
