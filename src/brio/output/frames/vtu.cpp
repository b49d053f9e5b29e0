#include "brio/output/frames/vtu.hpp"

#include "brio/mesh/formats/vtu_output.hpp"
#include "brio/output/frames/stress_fields.hpp"

#include <fmt/format.h>

#include <optional>

namespace brio {
namespace {

constexpr std::string_view kCollectionHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view kCollectionTail = "</Collection>\n</VTKFile>\n";

}  // namespace

VtuWriter::VtuWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), files_(folder, "vtu") {
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
  std::vector<PointField> fields = {{"velocity", 3, frame.v.data()}, {"strain", 1, frame.strain.data()}};
  if (!body_.empty()) fields.push_back({"body", 1, body_.data()});
  if (frame.contact_force) fields.push_back({"contact_force", 3, frame.contact_force->data()});
  std::optional<StressFields> stress;
  if (stress_ && frame.stress) {
    size_t count = 0;
    for (const GridCells& cells : cells_) count += cells.count();
    stress.emplace(frame, static_cast<Index>(count));
    fields.insert(fields.end(), stress->at_vertices().begin(), stress->at_vertices().end());
  }
  const std::vector<PointField> at_cells = stress ? stress->at_cells() : std::vector<PointField>();
  write_whole_file(folder_ / name, [&](OutputFile& file) {
    write_vtu(frame.x, cells_, fields, [&](std::string_view bytes) { file.write(bytes); }, at_cells);
  });

  if (!collection_) {
    collection_.emplace(folder_ / "frames.pvd");
    collection_->write(kCollectionHead);
    collection_->write(kCollectionTail);
    collection_->flush();
    collection_end_ = static_cast<long>(kCollectionHead.size());
  }
  // One small write replaces the closing tags by the new row and the closing tags.
  const std::string row = fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time, name);
  try {
    collection_->seek(collection_end_);
    collection_->write(row + std::string(kCollectionTail));
    collection_->flush();
  } catch (const WriteError&) {
    end_collection();
    throw;
  }
  collection_end_ += static_cast<long>(row.size());
}

/// Closes the collection after the rows that it has. There is room for the closing tags on a full disk, too: they have
/// been there before.
void VtuWriter::end_collection() {
  collection_->seek(collection_end_);
  collection_->write(kCollectionTail);
  collection_->flush();
  collection_->truncate(static_cast<std::uint64_t>(collection_end_) + kCollectionTail.size());
}

void VtuWriter::archive(Archive& archive) {
  if (collection_ && !archive.loading()) collection_->sync();
  archive(files_, collection_end_);
  if (!archive.loading() || files_.count() == 0) return;
  collection_.emplace(folder_ / "frames.pvd", static_cast<std::uint64_t>(collection_end_) + kCollectionTail.size());
  end_collection();
}

}  // namespace brio
