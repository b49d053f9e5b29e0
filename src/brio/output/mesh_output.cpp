#include "brio/output/mesh_output.hpp"

#include "brio/core/json.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// A line of blocks for each class, the fullest one 40 wide.
std::string bars(const Histogram& histogram, const char* unit) {
  const long most = std::max(1L, *std::max_element(histogram.counts.begin(), histogram.counts.end()));
  std::string text;
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    const double low = histogram.bounds[i], high = histogram.bounds[i + 1];
    if (histogram.counts[i] == 0) continue;
    const std::string range =
        std::isfinite(high) ? fmt::format("{:g} to {:g}{}", low, high, unit) : fmt::format("above {:g}{}", low, unit);
    std::string bar;
    for (long k = 0; k < (40 * histogram.counts[i] + most - 1) / most; ++k) bar += "▪";
    text += fmt::format("    {:<14} {:>9}  {}\n", range, histogram.counts[i], bar);
  }
  return text;
}

constexpr size_t kPartsListed = 20;

Json histogram_json(const Histogram& histogram) {
  return {{"bounds", histogram.bounds}, {"counts", histogram.counts}};  // an infinite bound becomes null
}

}  // namespace

std::string describe(const LoadedMesh& mesh, const MeshInspection& inspection, const std::string& name) {
  const MeshInspection& i = inspection;
  std::string text;
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", what, value);
  };
  text += fmt::format("{}: {} vertices, {} {}\n", name, i.vertices, i.cells,
                      mesh.mesh.order() == 2 ? "quadratic tetrahedra" : i.tets ? "tetrahedra" : "triangles");
  const Vec3 size = i.high - i.low;
  line("extent", fmt::format("{:.6g} x {:.6g} x {:.6g} m, from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})",
                             size[0], size[1], size[2], i.low[0], i.low[1], i.low[2], i.high[0], i.high[1], i.high[2]));
  if (i.tets || i.closed) {
    line("volume", fmt::format("{:.6g} m^3", i.volume) +
                       (mesh.shape ? fmt::format("; of the shape: {:.6g} m^3", mesh.shape->volume) : ""));
  }
  line("area", fmt::format("{:.6g} m^2", i.area));
  if (i.tets && !i.parts.empty()) {
    line("components", fmt::format("{} by faces, {} by vertices", i.parts.size(), i.components) +
                           (mesh.shape ? fmt::format("; of the shape: {}", mesh.shape->parts) : ""));
    line("pinches", i.pinched_edges + i.pinched_vertices == 0
                        ? "none"
                        : fmt::format("{} edges, {} vertices", i.pinched_edges, i.pinched_vertices));
  } else {
    line("components", fmt::format("{}", i.components));
  }
  if (i.genus) {
    line("genus",
         fmt::format("{}", *i.genus) + (mesh.shape ? fmt::format("; of the shape: {}", mesh.shape->genus) : ""));
  }
  line("Euler number",
       i.tets ? fmt::format("{}; of the boundary of {} triangles: {}", i.euler, i.boundary_triangles, i.boundary_euler)
              : fmt::format("{}", i.euler));
  for (const auto& [region, count] : i.regions) {
    const auto named = mesh.region_names.find(region);
    const auto material = mesh.materials.find(region);
    std::string value = fmt::format("{}: {} tetrahedra", region, count);
    if (named != mesh.region_names.end()) value += fmt::format(", \"{}\"", named->second);
    if (material != mesh.materials.end()) {
      const FileMaterial& m = material->second;
      value += fmt::format(", material {}: \"rho\": {}, \"E\": {}, \"nu\": {}", m.name, m.rho, m.E, m.nu);
    }
    line("region", value);
  }
  for (const auto& [set, vertices] : mesh.vertex_sets)
    line("set", fmt::format("\"{}\": {} vertices", set, vertices.size()));
  for (const std::string& group : mesh.surface.group_names) line("group", "\"" + group + "\"");
  if (mesh.surface.uv.rows() > 0) line("texture", fmt::format("{} points", mesh.surface.uv.rows()));
  for (const auto& [kind, count] : mesh.other_cells) line("left out", fmt::format("{} {}", count, kind));
  if (i.tets) {
    const MeshQuality& q = i.quality;
    line("dihedral", fmt::format("{:.4g} to {:.4g} degrees (regular: 70.5)", q.least_dihedral, q.most_dihedral));
    text += bars(i.dihedral, "°");
    line("aspect", fmt::format("worst {:.4g}, tetrahedron {} (regular: 1)", q.worst_aspect, q.worst_tet));
    text += bars(i.aspect, "");
  }
  for (const std::string& message : mesh.messages) line("note", message);
  for (const std::string& problem : i.problems) line("problem", problem);
  if (i.problems.empty()) line("problems", "none found");
  return text;
}

Json inspection_json(const LoadedMesh& mesh, const MeshInspection& i) {
  Json json = {{"kind", i.tets ? "tetrahedra" : "surface"},
               {"vertices", i.vertices},
               {i.tets ? "tetrahedra" : "triangles", i.cells},
               {"low", vec_json(i.low)},
               {"high", vec_json(i.high)},
               {"volume", i.tets || i.closed ? Json(i.volume) : Json()},
               {"area", i.area},
               {"components", i.components},
               {"genus", i.genus ? Json(*i.genus) : Json()},
               {"euler", i.euler},
               {"closed", i.closed}};
  if (i.tets) {
    json["boundary"] = {{"triangles", i.boundary_triangles}, {"euler", i.boundary_euler}};
    json["parts"] = Json::array();
    for (const FaceParts::Part& part : i.parts) {
      if (json["parts"].size() == kPartsListed) break;
      json["parts"].push_back({{"tetrahedra", part.tets}, {"volume", part.volume}, {"near", vec_json(part.place)}});
    }
    json["face_components"] = i.parts.size();
    json["pinches"] = {{"edges", i.pinched_edges}, {"vertices", i.pinched_vertices}, {"places", Json::array()}};
    for (const Vec3& place : i.pinches) json["pinches"]["places"].push_back(vec_json(place));
    if (mesh.shape) {
      const ShapeFacts& shape = *mesh.shape;
      json["shape"] = {{"volume", shape.volume}, {"parts", shape.parts}, {"genus", shape.genus}};
    }
    json["order"] = mesh.mesh.order();
    json["regions"] = Json::array();
    for (const auto& [region, count] : i.regions) {
      Json row = {{"region", region}, {"tetrahedra", count}};
      if (mesh.region_names.contains(region)) row["name"] = mesh.region_names.at(region);
      if (mesh.materials.contains(region)) {
        const FileMaterial& m = mesh.materials.at(region);
        row["material"] = {{"name", m.name}, {"rho", m.rho}, {"E", m.E}, {"nu", m.nu}};
      }
      json["regions"].push_back(row);
    }
    const MeshQuality& q = i.quality;
    json["dihedral"] = {
        {"least", q.least_dihedral}, {"most", q.most_dihedral}, {"histogram", histogram_json(i.dihedral)}};
    json["aspect"] = {{"worst", q.worst_aspect},
                      {"tetrahedron", q.worst_tet},
                      {"worst_places", Json::array()},
                      {"histogram", histogram_json(i.aspect)}};
    for (int t : i.worst_tets) {
      Vec3 middle = Vec3::Zero();
      for (int c = 0; c < 4; ++c) middle += 0.25 * mesh.mesh.X.row(mesh.mesh.T(t, c));
      json["aspect"]["worst_places"].push_back(vec_json(middle));
    }
  }
  json["sets"] = Json::object();
  for (const auto& [name, set] : mesh.vertex_sets) json["sets"][name] = set.size();
  json["groups"] = mesh.surface.group_names;
  json["other_cells"] = mesh.other_cells;
  json["notes"] = mesh.messages;
  json["problems"] = i.problems;
  return json;
}

void write_mesh_page(const std::filesystem::path& folder, const std::string& name, const LoadedMesh& mesh,
                     const MeshInspection& inspection, std::optional<double> wall_s) {
  Json numbers = inspection_json(mesh, inspection);
  if (wall_s) numbers["wall_s"] = *wall_s;
  create_folder(folder);
  write_whole_file(folder / "mesh.json", [&](OutputFile& file) { file.write(numbers.dump(2) + "\n"); });
  const MatrixX3d& X = inspection.tets ? mesh.mesh.X : mesh.surface.X;
  BodyTopology body;
  body.vertices = inspection.vertices;
  body.triangles = inspection.tets ? boundary_triangles(mesh.mesh) : mesh.surface.triangles;
  Recording recording(body, {});
  recording.add({0, X, MatrixX3d::Zero(X.rows(), 3), VectorXd::Zero(X.rows()), {}});
  const Json head = {{"kind", "mesh"}, {"title", name}, {"description", ""}, {"up", vec_json(Vec3::UnitY())}};
  write_page(folder / "report.html", report_template(), [&](OutputFile& file) {
    write_with_list(file, head, "runs", 1, [&](size_t) {
      write_recording(file, {{"name", name}, {"summary", numbers}, {"series", Json::object()}}, recording);
    });
  });
}

}  // namespace brio
