#include "brio/mesh/repair.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/buckets.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace brio {
namespace {

void note(RepairReport::Finding& finding, const std::string& text) {
  if (finding.count++ == 0) finding.first = text;
}

/// Those that a mesh may leave out.
void fill_in_arrays(TetMesh& mesh) {
  if (mesh.region.size() == 0) mesh.region = VectorXi::Zero(mesh.tets());
  if (mesh.fiber.rows() == 0) mesh.fiber = MatrixX3d::Zero(mesh.tets(), 3);
}

/// Marks tetrahedra that repeat the vertices of an earlier one.
std::vector<bool> repeated_tets(const TetMesh& mesh) {
  using Key = std::array<int, 4>;  // the three larger vertices, then the tetrahedron; the smallest is the bucket
  const Buckets<Key> tets = sort_into_buckets<Key>(mesh.tets(), mesh.vertices(), [&](std::int64_t t) {
    std::array<int, 4> v = {mesh.T(t, 0), mesh.T(t, 1), mesh.T(t, 2), mesh.T(t, 3)};
    std::sort(v.begin(), v.end());
    return std::pair(v[0], Key{v[1], v[2], v[3], static_cast<int>(t)});
  });
  std::vector<bool> repeated(mesh.tets(), false);
  for (int bucket = 0; bucket < mesh.vertices(); ++bucket) {
    for (auto i = tets.start[bucket] + 1; i < tets.start[bucket + 1]; ++i) {
      const Key &before = tets.items[i - 1], &tet = tets.items[i];
      if (std::equal(tet.begin(), tet.begin() + 3, before.begin())) repeated[tet[3]] = true;
    }
  }
  return repeated;
}

void keep_tets(TetMesh& mesh, const std::vector<int>& kept) {
  const TetMesh old = std::move(mesh);
  mesh = {old.X, old.T(kept, Eigen::all), old.region(kept), old.fiber(kept, Eigen::all)};
  if (old.order() == 2) mesh.mid = old.mid(kept, Eigen::all);
}

void drop_bad_tets(TetMesh& mesh, const std::string& where, double flat, RepairReport& report) {
  const std::vector<bool> repeated = repeated_tets(mesh);
  for (int t = 0; t < mesh.tets(); ++t) {
    const double relative = relative_volume(mesh, t);
    if (repeated[t]) {
      note(report.duplicate, tet_text(mesh, t));
    } else if (std::fabs(relative) <= flat || tet_volume(mesh, t) == 0) {
      note(report.flat, tet_text(mesh, t));
    } else {
      if (relative < 0) {
        note(report.flipped, tet_text(mesh, t));
        turn_round(mesh, t);
      }
      report.old_tet.push_back(t);
    }
  }
  if (report.old_tet.empty()) {
    throw Error("{}: nothing is left: {} flat tetrahedra and {} duplicates, the first {}", where, report.flat.count,
                report.duplicate.count, report.flat.first);
  }
  if (static_cast<int>(report.old_tet.size()) < mesh.tets()) keep_tets(mesh, report.old_tet);
}

void drop_unreferenced(TetMesh& mesh, RepairReport& report) {
  std::vector<bool> used(mesh.vertices(), false);
  for (int vertex : std::span(mesh.T.data(), mesh.T.size())) used[vertex] = true;
  for (int vertex : std::span(mesh.mid.data(), mesh.mid.size())) used[vertex] = true;
  std::vector<int> kept;
  for (int i = 0; i < mesh.vertices(); ++i) {
    report.new_vertex.push_back(used[i] ? static_cast<int>(kept.size()) : -1);
    if (used[i]) {
      kept.push_back(i);
    } else {
      note(report.unreferenced, fmt::format("vertex {} at ({}, {}, {})", i, mesh.X(i, 0), mesh.X(i, 1), mesh.X(i, 2)));
    }
  }
  if (report.unreferenced.count == 0) return;
  mesh.X = MatrixX3d(mesh.X(kept, Eigen::all));
  for (int& vertex : std::span(mesh.T.data(), mesh.T.size())) vertex = report.new_vertex[vertex];
  for (int& vertex : std::span(mesh.mid.data(), mesh.mid.size())) vertex = report.new_vertex[vertex];
}

void find_coincident(const TetMesh& mesh, RepairReport& report) {
  const auto place = [&](int i) { return std::array{mesh.X(i, 0), mesh.X(i, 1), mesh.X(i, 2)}; };
  std::vector<int> order(mesh.vertices());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return place(i) < place(j); });
  for (size_t i = 1; i < order.size(); ++i) {
    const auto x = place(order[i]);
    if (x == place(order[i - 1])) {
      note(report.coincident, fmt::format("a vertex at ({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]));
    }
  }
}

void add_line(const RepairReport::Finding& finding, const char* what, std::vector<std::string>& lines) {
  if (finding.count == 0) return;
  const std::string more = finding.count > 1 ? fmt::format(" and {} more", finding.count - 1) : "";
  lines.push_back(fmt::format("{}{}: {}", finding.first, more, what));
}

}  // namespace

std::vector<std::string> RepairReport::lines() const {
  std::vector<std::string> lines;
  add_line(flipped, "inside out, turned round", lines);
  add_line(flat, "without volume, dropped", lines);
  add_line(duplicate, "duplicate of an earlier one, dropped", lines);
  add_line(unreferenced, "in no tetrahedron, dropped", lines);
  add_line(coincident, "at the same place as another vertex; the parts are not joined there", lines);
  return lines;
}

RepairReport repair(TetMesh& mesh, const std::string& where, double flat) {
  RepairReport report;
  fill_in_arrays(mesh);
  validate_arrays(mesh, where);
  drop_bad_tets(mesh, where, flat, report);
  drop_unreferenced(mesh, report);
  find_coincident(mesh, report);
  return report;
}

}  // namespace brio
