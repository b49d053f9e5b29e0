#include "brio/output/frames/msh.hpp"

#include "brio/core/file.hpp"
#include "brio/mesh/formats/gmsh_output.hpp"

namespace brio {

MshWriter::MshWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), body_(body.body), files_(folder, "msh") {
  GmshOutput out(GmshOutput::Encoding::binary);
  const std::vector<GridCells> kinds = grid_cells(body);
  out.add_elements(kinds);
  for (const GridCells& cells : kinds) element_body_.insert(element_body_.end(), cells.body.begin(), cells.body.end());
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
  write_whole_file(folder_ / files_.next(), [&](OutputFile& file) {
    file.write(head.take());
    file.write(elements_);
    file.write(data.take());
  });
}

}  // namespace brio
