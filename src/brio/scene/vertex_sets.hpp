#pragma once
// Named sets of vertices, chosen by place, by number or by a group of the mesh file.

#include "brio/core/table.hpp"
#include "brio/core/types.hpp"
#include "brio/scene/scene.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace brio {

/// Vertex numbers, ascending, each once.
using VertexSet = std::vector<int>;
using VertexSets = std::map<std::string, VertexSet>;

/// Input of the selectors.
struct SelectionSource {
  const MatrixX3d& X;                                          ///< positions, after the mesh's transform [m]
  const VertexSets& groups;                                    ///< named groups of the mesh file
  std::function<const VertexSet&(const std::string&)> chosen;  ///< another set of the scene
};

struct SelectorEntry : Entry {
  std::function<VertexSet(const Options&, const SelectionSource&)> select;
  std::function<std::vector<std::string>(const Options&)> used_sets = {};  ///< other sets that it reads; may be empty
};

/// Every selector, in the order in which `brio list` shows them.
const std::vector<SelectorEntry>& selectors();
Table<SelectorEntry>& selector_table();  ///< the same, to add rows to

/// Chooses every set. Throws Error naming the set, with the extent of the mesh as a hint, when one comes out empty.
/// The result begins with the sets that are `known` already, which unions may name.
VertexSets select_vertices(const std::vector<SetSpec>& sets, const MatrixX3d& X, const VertexSets& groups,
                           VertexSets known = {});

}  // namespace brio
