#include "brio/output/frames/msh.hpp"

#include "brio/core/file.hpp"
#include "brio/mesh/formats/gmsh_output.hpp"
#include "brio/output/frames/stress_fields.hpp"

namespace brio {
namespace {

/// Gmsh knows numbers, vectors and whole tensors: of the six of a symmetric one it gets all nine.
struct GmshField {
  explicit GmshField(const PointField& of, Index rows) : field(of) {
    if (of.components != 6) return;
    constexpr int kFrom[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};  // xx yy zz xy yz xz
    const double* six = std::get<const double*>(of.values);
    for (Index i = 0; i < rows; ++i)
      for (const int k : kFrom) nine.push_back(six[6 * i + k]);
    field = {of.name, 9, nine.data()};
  }
  std::vector<double> nine;
  PointField field;
};

}  // namespace

MshWriter::MshWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), stress_(body.stress), body_(body.body), files_(folder, "msh") {
  GmshOutput out(GmshOutput::Encoding::binary);
  const std::vector<GridCells> kinds = grid_cells(body);
  out.add_elements(kinds);
  for (const GridCells& cells : kinds) {
    element_body_.insert(element_body_.end(), cells.body.begin(), cells.body.end());
    cells_ += static_cast<Index>(cells.count());
  }
  elements_ = out.take();
}

void MshWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  const int number = files_.count();
  GmshOutput head(GmshOutput::Encoding::binary), data(GmshOutput::Encoding::binary);
  head.add_header();
  head.add_nodes(frame.x);
  data.add_node_data({"velocity", 3, frame.v.data()}, vertices_, frame.time, number);
  data.add_node_data({"strain", 1, frame.strain.data()}, vertices_, frame.time, number);
  if (!body_.empty()) {
    data.add_node_data({"body", 1, body_.data()}, vertices_, frame.time, number);
    data.add_element_data({"body", 1, element_body_.data()}, static_cast<Index>(element_body_.size()), frame.time,
                          number);
  }
  if (stress_ && frame.stress) {
    const StressFields stress(frame, cells_);
    for (const PointField& field : stress.at_vertices())
      data.add_node_data(GmshField(field, vertices_).field, vertices_, frame.time, number);
    for (const PointField& field : stress.at_cells())
      data.add_element_data(GmshField(field, cells_).field, cells_, frame.time, number);
  }
  write_whole_file(folder_ / files_.next(), [&](OutputFile& file) {
    file.write(head.take());
    file.write(elements_);
    file.write(data.take());
  });
}

}  // namespace brio
