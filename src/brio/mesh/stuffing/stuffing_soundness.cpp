#include "brio/mesh/stuffing/stuffing_soundness.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/stuffing/stuffing_reference.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/mesh/topology.hpp"

#include <cmath>
#include <functional>

namespace brio {
namespace {

constexpr double kCrumb = 1e-3;             // of the volume
constexpr double kMostReferenceWork = 5e7;  // values of simple shapes, about
constexpr double kMostReferencePoints = 3e6;
constexpr int kLarge = 50000;  // vertices

/// The boundary of tetrahedra some of whose vertices are known to lie on it: only their faces need to be looked at.
MatrixX3i boundary_among(const TetMesh& mesh, const std::vector<char>& on_surface) {
  std::vector<int> near;
  for (int t = 0; t < mesh.tets(); ++t) {
    int count = 0;
    for (int c = 0; c < 4; ++c) count += on_surface[mesh.T(t, c)];
    if (count >= 3) near.push_back(t);
  }
  const TetMesh layer{mesh.X, mesh.T(near, Eigen::all), {}, {}};
  const MatrixX3i single = boundary_triangles(layer);
  std::vector<int> rows;
  for (int f = 0; f < single.rows(); ++f)
    if (on_surface[single(f, 0)] && on_surface[single(f, 1)] && on_surface[single(f, 2)]) rows.push_back(f);
  return single(rows, Eigen::all);
}

}  // namespace

void settle(StuffedMesh& stuffed, const std::vector<char>& on_surface) {
  TetMesh& mesh = stuffed.mesh;
  const MatrixX3i boundary = boundary_among(mesh, on_surface);
  const Pinches pinches = find_pinches(boundary);
  stuffed.genus = surface_genus(boundary);
  stuffed.components = connected_components(mesh).count;
  if (pinches.count() == 0 && stuffed.components == 1) return;  // then parts by faces and by vertices are the same
  const Faces faces = find_faces(mesh);
  for (int v : pinches.vertices) stuffed.faults.emplace_back(mesh.X.row(v));
  for (const auto& [a, b] : pinches.edges) stuffed.faults.emplace_back(0.5 * (mesh.X.row(a) + mesh.X.row(b)));
  if (pinches.count() > 0) stuffed.opened = static_cast<int>(open_pinches(mesh, faces, pinches).size());
  const FaceParts parts = face_parts(mesh, faces);
  for (int p = 1; p < parts.count(); ++p) stuffed.faults.push_back(parts.part[p].place);
  stuffed.components = parts.count();
  const MatrixX3i opened = boundary_triangles(mesh, faces);
  stuffed.genus = surface_genus(opened);
  stuffed.pinched = static_cast<int>(find_pinches(opened).count());
}

void drop_parts(StuffedMesh& stuffed, int count, bool only_crumbs) {
  const FaceParts parts = face_parts(stuffed.mesh, find_faces(stuffed.mesh));
  double volume = 0;
  for (const FaceParts::Part& part : parts.part) volume += part.volume;
  std::vector<char> stays(parts.part.size(), 1);
  for (int p = count; p < parts.count(); ++p) {
    const FaceParts::Part& part = parts.part[p];
    if (only_crumbs && part.volume > kCrumb * volume) continue;
    stays[p] = 0;
    stuffed.dropped.push_back(fmt::format("{} tetrahedra near {} ({:.2g} % of the volume)", part.tets,
                                          place_text(part.place), 100 * part.volume / volume));
  }
  if (stuffed.dropped.empty()) return;
  std::vector<char> keep(stuffed.mesh.tets());
  for (int t = 0; t < stuffed.mesh.tets(); ++t) keep[t] = stays[parts.of_tet[t]];
  stuffed.mesh = extract_tets(stuffed.mesh, keep);
  const MatrixX3i boundary = boundary_triangles(stuffed.mesh);
  stuffed.components -= static_cast<int>(stuffed.dropped.size());
  stuffed.genus = surface_genus(boundary);
}

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (int t = 0; t < mesh.tets(); ++t) volume += tet_volume(mesh, t);
  return volume;
}

ShapeReference reference_for(const SignedDistance& body, const StuffingTarget& target, const StuffedMesh& stuffed) {
  if (const std::optional<ShapeFacts> known = body.facts()) return {*known, {known->genus}, true};
  // Where nothing looks wrong with a large mesh, its own lattice will do.
  const bool large =
      stuffed.mesh.vertices() > kLarge && stuffed.components == 1 && stuffed.lost_places + stuffed.opened == 0;
  ShapeReference found{count_on_lattice(body, large ? stuffed.size : stuffed.size / 2), {}, true};
  found.genera.push_back(found.facts.genus);
  for (int finer = 4; finer <= 16; finer *= 2) {
    if (found.agrees(stuffed) && stuffed.lost_places == 0) break;
    const double points = std::pow(finer, 2) * stuffed.mesh.vertices();
    if (body.cost() * points > kMostReferenceWork || finer * points > kMostReferencePoints) break;
    const ShapeFacts coarser = found.facts;
    found.facts = count_on_lattice(body, stuffed.size / finer);
    found.genera.push_back(found.facts.genus);
    if (found.facts.parts == coarser.parts && found.facts.genus == coarser.genus) break;
  }
  if (target.genus) found.genera = {*target.genus};
  found.certain =
      std::adjacent_find(found.genera.begin(), found.genera.end(), std::not_equal_to<>()) == found.genera.end();
  found.facts.genus = *std::min_element(found.genera.begin(), found.genera.end());
  return found;
}

std::string place_text(const Vec3& x) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x[0], x[1], x[2]); }

std::vector<std::string> StuffedMesh::messages() const {
  std::vector<std::string> lines = notes;
  if (lost_places > 0) {
    lines.push_back(
        fmt::format("parts, or gaps, that are thinner than a cell of {:.4g} m are lost in {} places, the first near "
                    "{}; a smaller size keeps them",
                    size, lost_places, place_text(first_lost)));
  }
  if (opened > 0) {
    lines.push_back(
        fmt::format("at {} vertices parts touched in a vertex or an edge only, the first near {}; they were "
                    "separated there",
                    opened, place_text(faults.at(0))));
  }
  for (const std::string& part : dropped) lines.push_back("left out a part that came off: " + part);
  if (components > 1 || components != shape.parts) {
    lines.push_back(fmt::format("the mesh has {} parts that do not hang together, the shape {}{}", components,
                                shape.parts, faults.empty() ? "" : "; one is near " + place_text(faults.back())));
  }
  if (pinched > 0)
    lines.push_back(
        fmt::format("at {} vertices the surface still touches itself, one near {}", pinched, place_text(faults[0])));
  if (genus != shape.genus) {
    lines.push_back(fmt::format("the mesh has {} handles, the shape {}: limbs are broken or gaps are closed{}", genus,
                                shape.genus, faults.empty() ? "" : ", perhaps near " + place_text(faults[0])));
  }
  if (const double off = volume_of(mesh) / shape.volume - 1; !(std::fabs(off) <= kVolumeTolerance)) {
    // What is cut off goes with the square of the size, vertices with its cube or so.
    const double enough = mesh.vertices() * std::pow(std::fabs(off) / kVolumeTolerance, 1.5);
    std::string places;
    for (const Vec3& place : losses.places) places += (places.empty() ? "" : ", ") + place_text(place);
    if (!places.empty()) places = fmt::format(", {:.2g} % of it near {}", 100 * losses.share, places);
    lines.push_back(
        fmt::format("the volume is {:.2g} % {} than that of the shape: thin limbs and sharp edges are cut off{}; "
                    "{:.2g} thousand vertices, about, come within 2 %",
                    100 * std::fabs(off), off < 0 ? "less" : "more", places, std::max(enough, 100.0) / 1000));
  }
  return lines;
}

}  // namespace brio
