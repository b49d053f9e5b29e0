#include "brio/output/frames/pvtu.hpp"

#include "brio/core/ranks.hpp"
#include "brio/mesh/formats/vtu_output.hpp"
#include "brio/output/frames/vtu.hpp"

#include <fmt/format.h>

#include <list>

namespace brio {
namespace {

/// Some rows of fields, as fields of their own.
class ChosenRows {
 public:
  ChosenRows(const std::vector<PointField>& fields, const std::vector<int>& rows) {
    for (const PointField& field : fields) {
      const auto width = static_cast<size_t>(field.components);
      std::visit(
          [&](const auto* values) {
            auto& some = room(values).emplace_back(rows.size() * width);
            for (size_t i = 0; i < rows.size(); ++i)
              std::copy_n(values + static_cast<size_t>(rows[i]) * width, width, some.data() + i * width);
            chosen.push_back({field.name, field.components, some.data()});
          },
          field.values);
    }
  }
  std::vector<PointField> chosen;

 private:
  std::list<std::vector<double>>& room(const double*) { return numbers_; }
  std::list<std::vector<int>>& room(const int*) { return integers_; }
  std::list<std::vector<double>> numbers_;
  std::list<std::vector<int>> integers_;
};

std::string described(const std::vector<PointField>& fields) {
  std::string xml;
  for (const PointField& field : fields)
    xml += fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                       std::holds_alternative<const double*>(field.values) ? "Float64" : "Int32", field.name,
                       field.components);
  return xml;
}

std::string piece_name(int frame, int rank) { return sequence_name(frame, fmt::format("{}.vtu", rank)); }

}  // namespace

PvtuWriter::PvtuWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), collection_(folder / "frames.pvd"), files_(folder, "pvtu") {
  set_topology(body);
}

bool PvtuWriter::set_topology(const BodyTopology& body) {
  const std::vector<GridCells> kinds = grid_cells(body);
  const int rank = ranks().rank();
  const auto is_own = [&](int vertex) { return body.owner.empty() || body.owner[vertex] == rank; };
  body_ = {};
  body_.vertices = body.vertices;
  body_.body = body.body;
  body_.stress = body.stress;
  all_cells_ = count_cells(kinds);
  piece_.clear();
  cells_.clear();
  vertices_.clear();
  constexpr int kElsewhere = -1;
  std::vector<int> number(body.vertices, kElsewhere);
  int first = 0;  // of the kind's cells, among all
  for (const GridCells& kind : kinds) {
    GridCells& own = piece_.emplace_back();
    own.corners = kind.corners;
    for (size_t c = 0; c < kind.count(); ++c) {
      const int* corners = kind.vertices.data() + c * static_cast<size_t>(kind.corners);
      if (!is_own(corners[0])) continue;
      cells_.push_back(first + static_cast<int>(c));
      if (!kind.region.empty()) own.region.push_back(kind.region[c]);
      if (!kind.body.empty()) own.body.push_back(kind.body[c]);
      for (int a = 0; a < kind.corners; ++a) {
        if (number[corners[a]] == kElsewhere) {
          number[corners[a]] = static_cast<int>(vertices_.size());
          vertices_.push_back(corners[a]);
        }
        own.vertices.push_back(number[corners[a]]);
      }
    }
    first += static_cast<int>(kind.count());
  }
  return true;
}

void PvtuWriter::write(const Frame& frame) {
  check_frame(body_.vertices, frame);
  std::string name;
  if (ranks().writes()) name = files_.next();  // which makes the folder, too
  ranks().broadcast(name);
  const int number = std::stoi(name.substr(name.find('_') + 1));
  const FrameFields all(frame, body_.body, body_.stress, all_cells_);
  const ChosenRows points(all.points, vertices_), at_cells(all.at_cells, cells_);
  const MatrixX3d x = frame.x(vertices_, Eigen::all);
  write_whole_file(folder_ / piece_name(number, ranks().rank()), [&](OutputFile& file) {
    write_vtu(x, piece_, points.chosen, [&](std::string_view bytes) { file.write(bytes); }, at_cells.chosen);
  });
  double there = 1;
  sum_over_ranks(&there, 1);  // all pieces are written before anything names them
  if (!ranks().writes()) return;
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PUnstructuredGrid GhostLevel=\"0\">\n";
  xml += fmt::format("<PPointData>\n{}</PPointData>\n", described(points.chosen));
  std::vector<PointField> of_cells = {{"region", 1, static_cast<const int*>(nullptr)}};
  if (!body_.body.empty()) of_cells.push_back({"body", 1, static_cast<const int*>(nullptr)});
  of_cells.insert(of_cells.end(), at_cells.chosen.begin(), at_cells.chosen.end());
  xml += fmt::format("<PCellData>\n{}</PCellData>\n", described(of_cells));
  xml += "<PPoints>\n<PDataArray type=\"Float64\" Name=\"position\" NumberOfComponents=\"3\"/>\n</PPoints>\n";
  for (int r = 0; r < ranks().count(); ++r) xml += fmt::format("<Piece Source=\"{}\"/>\n", piece_name(number, r));
  xml += "</PUnstructuredGrid>\n</VTKFile>\n";
  write_whole_file(folder_ / name, [&](OutputFile& file) { file.write(xml); });
  collection_.add(frame.time, name);
}

void PvtuWriter::archive(Archive& archive) {
  archive(files_);
  collection_.archive(archive, files_.count() > 0);
}

}  // namespace brio
