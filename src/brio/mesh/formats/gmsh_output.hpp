#pragma once
// The sections of a Gmsh 2.2 file, in text or in binary: meshes are written in text, frames of a run in binary, both by
// the same lines of code.

#include "brio/mesh/formats/grid.hpp"
#include "brio/mesh/formats/mesh_text.hpp"

#include <span>

namespace brio {

/// A physical group with a name.
struct GmshGroup {
  int dimension, tag;
  std::string name;
};

class GmshOutput {
 public:
  enum class Encoding { text, binary };
  explicit GmshOutput(Encoding encoding) : binary_(encoding == Encoding::binary) {}

  void add_header();
  void add_names(const std::vector<GmshGroup>& groups);
  void add_nodes(const MatrixX3d& x);
  /// Elements of all kinds; then come blocks, each with so many elements of one kind.
  void begin_elements(size_t count);
  void begin_block(int corners, size_t count);
  /// `vertices` count from 0.
  void add_element(int group, int entity, std::span<const int> vertices);
  void end_elements();
  /// All cells, with the region as physical group.
  void add_elements(std::span<const GridCells> kinds);
  /// A field at the nodes, for one moment of a sequence.
  void add_node_data(const PointField& field, Index nodes, double time, int frame) {
    add_data("NodeData", field, nodes, time, frame);
  }
  /// The same for the elements, in the order in which they were added.
  void add_element_data(const PointField& field, Index elements, double time, int frame) {
    add_data("ElementData", field, elements, time, frame);
  }

  std::string take() { return text_.take(); }

 private:
  template <class T>
  void add_number(T value);
  void add_rows(const double* values, Index rows, int columns);
  void add_data(std::string_view section, const PointField& field, Index rows, double time, int frame);
  void end_section(std::string_view name);

  bool binary_;
  MeshText text_;
  int type_ = 0, elements_ = 0;  ///< of the block, and so far
};

}  // namespace brio
