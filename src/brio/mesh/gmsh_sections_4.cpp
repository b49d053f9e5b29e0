#include "brio/mesh/gmsh_sections.hpp"

#include <algorithm>
#include <cstdlib>

namespace brio {
namespace {

constexpr int kMostTag = std::numeric_limits<int>::max();
// More groups around one entity would let a small file grow to any size in memory.
constexpr int kMostGroups = 64;

std::vector<int> read_groups(TextReader& in) {
  const std::int64_t count = in.integer("number of physical tags", 0, kMostGroups);
  std::vector<int> groups;
  for (std::int64_t i = 0; i < count; ++i) {
    // The sign tells the orientation, which a set of vertices does not have.
    const int tag = std::abs(static_cast<int>(in.integer("physical tag", -kMostTag, kMostTag)));
    if (tag == 0) in.fail("physical tag = 0: must not be 0");
    if (std::find(groups.begin(), groups.end(), tag) == groups.end()) groups.push_back(tag);
  }
  return groups;
}

void read_entity(TextReader& in, int dimension, GmshEntities& entities) {
  const int tag = static_cast<int>(in.integer("entity tag", -kMostTag, kMostTag));
  const int bounds = dimension == 0 ? 3 : 6;  // a point, or the corners of a bounding box
  for (int i = 0; i < bounds; ++i) in.real("coordinate of an entity");
  if (!entities.emplace(std::pair(dimension, tag), read_groups(in)).second) {
    in.fail("entity {} of dimension {} is listed twice", tag, dimension);
  }
  if (dimension > 0) {
    const std::int64_t boundary = in.integer("number of bounding entities", 0, kMostTag);
    for (std::int64_t i = 0; i < boundary; ++i) in.integer("bounding entity");
  }
  in.end_of_line();
}

struct BlockHeader {
  std::int64_t blocks, items;
};

/// "blocks items least-tag greatest-tag", the first line of nodes and of elements.
BlockHeader read_header(TextReader& in, std::string_view what, int bytes_each) {
  in.need_line(what);
  const std::int64_t blocks = in.count("number of blocks", 8);
  const std::int64_t items = in.count(what, bytes_each);
  in.integer("least tag", 0);
  in.integer("greatest tag", 0);
  in.end_of_line();
  return {blocks, items};
}

void require_total(const TextReader& in, std::string_view what, std::int64_t announced, std::int64_t found) {
  if (found != announced) in.fail("{} {} are announced, but the blocks hold {}", announced, what, found);
}

}  // namespace

GmshEntities read_entities_4(TextReader& in) {
  in.need_line("numbers of entities");
  std::array<std::int64_t, 4> counts;
  for (auto& count : counts) count = in.count("number of entities", 10);
  in.end_of_line();
  GmshEntities entities;
  for (int dimension = 0; dimension <= 3; ++dimension) {
    for (std::int64_t i = 0; i < counts[dimension]; ++i) {
      next_item(in, "entities", counts[dimension], i);
      read_entity(in, dimension, entities);
    }
  }
  return entities;
}

void read_nodes_4(TextReader& in, GmshMesh& mesh) {
  const auto [blocks, total] = read_header(in, "number of nodes", 8);
  mesh.reserve_nodes(total);
  std::int64_t found = 0;
  std::vector<std::int64_t> tags;
  for (std::int64_t block = 0; block < blocks; ++block) {
    next_item(in, "blocks of nodes", blocks, block);
    in.integer("dimension of the block", 0, 3);
    in.integer("entity of the block");
    const bool parametric = in.integer("parametric", 0, 1) == 1;
    const std::int64_t count = in.count("number of nodes in the block", 8);
    in.end_of_line();
    tags.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      next_item(in, "nodes of a block", count, i);
      tags.push_back(in.integer("node tag", 0));
      in.end_of_line();
    }
    for (std::int64_t i = 0; i < count; ++i) {
      next_item(in, "coordinates of a block", count, i);
      const double x = in.real("x"), y = in.real("y"), z = in.real("z");
      if (parametric) {
        for (int k = 0; k < 3 && !in.line_is_used_up(); ++k) in.real("parametric coordinate");
      }
      in.end_of_line();
      mesh.add_node(tags[i], {x, y, z}, in.line_number());
    }
    found += count;
  }
  require_total(in, "nodes", total, found);
  mesh.finish_nodes(in);
}

void read_elements_4(TextReader& in, const GmshEntities* entities, GmshMesh& mesh) {
  const auto [blocks, total] = read_header(in, "number of elements", 4);
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < blocks; ++block) {
    next_item(in, "blocks of elements", blocks, block);
    const int dimension = static_cast<int>(in.integer("dimension of the block", 0, 3));
    const int entity = static_cast<int>(in.integer("entity of the block", -kMostTag, kMostTag));
    const GmshCell& cell = mesh.cell_type(in);
    if (cell.dimension != dimension) in.fail("{} in a block of dimension {}", cell.name, dimension);
    const std::int64_t count = in.count("number of elements in the block", 4);
    in.end_of_line();
    std::span<const int> groups;
    if (entities) {
      const auto known = entities->find({dimension, entity});
      if (known == entities->end()) in.fail("entity {} of dimension {} is not in $Entities", entity, dimension);
      groups = known->second;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      next_item(in, "elements of a block", count, i);
      in.integer("element tag", 0);
      mesh.add_cell(in, cell, groups);
    }
    found += count;
  }
  require_total(in, "elements", total, found);
}

}  // namespace brio
