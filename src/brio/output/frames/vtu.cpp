#include "brio/output/frames/vtu.hpp"

#include "brio/mesh/formats/vtu_output.hpp"

namespace brio {

FrameFields::FrameFields(const Frame& frame, const std::vector<int>& body, bool stress, size_t cells)
    : points{{"velocity", 3, frame.v.data()}, {"strain", 1, frame.strain.data()}} {
  if (!body.empty()) points.push_back({"body", 1, body.data()});
  if (frame.contact_force) points.push_back({"contact_force", 3, frame.contact_force->data()});
  if (!stress || !frame.stress) return;
  stress_.emplace(frame, static_cast<Index>(cells));
  points.insert(points.end(), stress_->at_vertices().begin(), stress_->at_vertices().end());
  at_cells = stress_->at_cells();
}

size_t count_cells(const std::vector<GridCells>& kinds) {
  size_t count = 0;
  for (const GridCells& cells : kinds) count += cells.count();
  return count;
}

VtuWriter::VtuWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), collection_(folder / "frames.pvd"), files_(folder, "vtu") {
  set_topology(body);
}

bool VtuWriter::set_topology(const BodyTopology& body) {
  cells_ = grid_cells(body);
  body_ = body.body;
  vertices_ = body.vertices;
  stress_ = body.stress;
  return true;
}

void VtuWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  const std::string name = files_.next();
  const FrameFields fields(frame, body_, stress_, count_cells(cells_));
  write_whole_file(folder_ / name, [&](OutputFile& file) {
    write_vtu(frame.x, cells_, fields.points, [&](std::string_view bytes) { file.write(bytes); }, fields.at_cells);
  });
  collection_.add(frame.time, name);
}

void VtuWriter::archive(Archive& archive) {
  archive(files_);
  collection_.archive(archive, files_.count() > 0);
}

}  // namespace brio
