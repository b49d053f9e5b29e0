#include "brio/output/frames/obj.hpp"

#include "brio/core/file.hpp"
#include "brio/mesh/formats/obj_text.hpp"

#include <fmt/format.h>

namespace brio {

ObjWriter::ObjWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), part_(body) {
  create_sequence_folder(folder_, "obj");
}

void ObjWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  write_obj(folder_ / sequence_name(frames_, "obj"), part_, frame.x);
  ++frames_;
}

bool ObjWriter::set_topology(const BodyTopology& body) {
  vertices_ = body.vertices;
  part_ = DrawnPart(body);
  return true;
}

void write_obj(const std::filesystem::path& path, const DrawnPart& part, const MatrixX3d& x) {
  if (part.skin) {  // with its texture, groups and materials
    std::vector<std::string> materials = part.skin->surface.material_files;
    for (std::string& file : materials) {
      std::error_code unrelated;  // then the whole path stays
      const std::filesystem::path from_here = std::filesystem::relative(file, path.parent_path(), unrelated);
      if (!from_here.empty()) file = from_here.generic_string();
    }
    const std::string text = obj_text(part.skin->surface, part.rows(x), materials);
    write_whole_file(path, [&](OutputFile& file) { file.write(text); });
    return;
  }
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (int i : part.vertices) fmt::format_to(out, "v {:.9g} {:.9g} {:.9g}\n", x(i, 0), x(i, 1), x(i, 2));
  for (const auto& t : part.triangles.rowwise()) fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  for (const auto& e : part.edges.rowwise()) fmt::format_to(out, "l {} {}\n", e[0] + 1, e[1] + 1);
  write_whole_file(path, [&](OutputFile& file) { file.write(std::string_view(text.data(), text.size())); });
}

}  // namespace brio
