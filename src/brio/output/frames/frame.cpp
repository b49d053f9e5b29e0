#include "brio/output/frames/frame.hpp"

#include "brio/core/error.hpp"
#include "brio/output/frames/glb.hpp"
#include "brio/output/frames/mdd.hpp"
#include "brio/output/frames/msh.hpp"
#include "brio/output/frames/npz.hpp"
#include "brio/output/frames/obj.hpp"
#include "brio/output/frames/pc2.hpp"
#include "brio/output/frames/ply.hpp"
#include "brio/output/frames/pvtu.hpp"
#include "brio/output/frames/vtu.hpp"

#include <algorithm>

namespace brio {
namespace {

template <class Cells>
void check_indices(const Cells& cells, int vertices, const char* kind) {
  for (Index i = 0; i < cells.rows(); ++i)
    for (Index j = 0; j < cells.cols(); ++j)
      if (cells(i, j) < 0 || cells(i, j) >= vertices)
        throw Error("{} {} names vertex {}, but there are {} vertices", kind, i, cells(i, j), vertices);
}

template <class Writer>
FrameFormatEntry format(std::string name, std::string summary) {
  FrameFormatEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.make = [](const std::filesystem::path& folder, const BodyTopology& body) {
    return std::make_unique<Writer>(folder, body);
  };
  return entry;
}

FrameFormatEntry by_all_ranks(FrameFormatEntry entry) {
  entry.by_all_ranks = true;
  return entry;
}

}  // namespace

void check_topology(const BodyTopology& body) {
  check_indices(body.tets, body.vertices, "tetrahedron");
  check_indices(body.triangles, body.vertices, "triangle");
  check_indices(body.edges, body.vertices, "edge");
  if (body.region.size() != 0 && body.region.size() != body.tets.rows())
    throw Error("{} regions are given for {} tetrahedra", body.region.size(), body.tets.rows());
  if (!body.node_region.empty() && static_cast<int>(body.node_region.size()) != body.vertices)
    throw Error("regions of nodes are given for {} of {} vertices", body.node_region.size(), body.vertices);
  if (!body.body.empty() && static_cast<int>(body.body.size()) != body.vertices)
    throw Error("bodies are given for {} of {} vertices", body.body.size(), body.vertices);
  for (int number : body.body)
    if (number < 0 || number >= static_cast<int>(body.body_names.size()))
      throw Error("a vertex belongs to body {}, but {} bodies have names", number, body.body_names.size());
}

std::vector<GridCells> grid_cells(const BodyTopology& body) {
  check_topology(body);
  std::vector<GridCells> kinds;
  std::vector<char> taken(body.vertices, 0);
  const auto add = [&](const auto& cells) {
    std::vector<Index> bare;
    for (Index i = 0; i < cells.rows(); ++i) {
      const auto corners = cells.row(i);
      if (std::none_of(corners.begin(), corners.end(), [&](int vertex) { return taken[vertex]; })) bare.push_back(i);
    }
    if (bare.empty()) return;
    kinds.emplace_back(std::decay_t<decltype(cells)>(cells(bare, Eigen::all)));
    kinds.back().region.assign(bare.size(), 0);
    for (int vertex : kinds.back().vertices) taken[vertex] = 1;
  };
  add(body.tets);
  if (body.region.size() > 0) kinds.front().region.assign(body.region.begin(), body.region.end());
  add(body.triangles);
  add(body.edges);
  if (kinds.empty()) kinds.emplace_back(body.edges);
  if (!body.body.empty())
    for (GridCells& cells : kinds)
      for (size_t i = 0; i < cells.vertices.size(); i += static_cast<size_t>(cells.corners))
        cells.body.push_back(body.body[cells.vertices[i]]);
  return kinds;
}

void check_frame(int vertices, const Frame& frame) {
  const auto check = [&](Index rows, const char* what) {
    if (rows != vertices)
      throw Error("frame at {} s has {} {}, but the body has {} vertices", frame.time, rows, what, vertices);
  };
  check(frame.x.rows(), "positions");
  check(frame.v.rows(), "velocities");
  check(frame.strain.size(), "strains");
}

static std::vector<FrameFormatEntry> built_in_frame_formats() {
  return {
      format<VtuWriter>("vtu", "VTU files and a PVD collection for ParaView: all cells, velocity, strain, region"),
      by_all_ranks(format<PvtuWriter>(
          "pvtu", "the same in pieces, one for each rank that computes, written at once: PVTU files and a collection")),
      format<ObjWriter>("obj", "a sequence of OBJ files: the surface, or the skin with its texture and groups"),
      format<PlyWriter>("ply", "a sequence of binary PLY files: the surface, with velocity and strain"),
      format<Pc2Writer>("pc2", "a PC2 point cache and the OBJ that it moves, for Blender: the surface"),
      format<MddWriter>("mdd", "an MDD point cache and the OBJ that it moves, for Blender and LightWave: the surface"),
      format<GlbWriter>("glb", "one animated glTF file for Blender and browsers: the surface, thinned to 200 frames"),
      format<MshWriter>("msh", "a sequence of binary Gmsh files: all cells, velocity, strain, region"),
      format<NpzWriter>("npz", "the whole trajectory in one file for NumPy: all cells, velocity, strain, region"),
  };
}

Table<FrameFormatEntry>& frame_format_table() {
  static Table<FrameFormatEntry> table("frame format", built_in_frame_formats());
  return table;
}

const std::vector<FrameFormatEntry>& frame_formats() { return frame_format_table().rows(); }

}  // namespace brio
