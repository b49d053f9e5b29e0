#include "brio/output/frames/obj.hpp"

#include "brio/core/file.hpp"
#include "brio/mesh/formats/obj_text.hpp"

namespace brio {

ObjWriter::ObjWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), part_(body), files_(folder, "obj") {}

void ObjWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  write_obj(folder_ / files_.next(), part_, frame.x);
}

bool ObjWriter::set_topology(const BodyTopology& body) {
  vertices_ = body.vertices;
  part_ = DrawnPart(body);
  return true;
}

void write_obj(const std::filesystem::path& path, const DrawnPart& part, const MatrixX3d& x) {
  std::string text;
  if (part.skin && part.body_names.size() < 2) {  // with its texture, groups and materials
    std::vector<std::string> materials = part.skin->surface.material_files;
    for (std::string& file : materials) {
      std::error_code unrelated;  // then the whole path stays
      const std::filesystem::path from_here = std::filesystem::relative(file, path.parent_path(), unrelated);
      if (!from_here.empty()) file = from_here.generic_string();
    }
    text = obj_text(part.skin->surface, part.rows(x), materials);
  } else {
    text = obj_text(part.rows(x), part.triangles, part.edges, part.body, part.body_names);
  }
  write_whole_file(path, [&](OutputFile& file) { file.write(text); });
}

}  // namespace brio
