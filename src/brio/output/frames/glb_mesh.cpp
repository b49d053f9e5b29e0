#include "brio/output/frames/glb_mesh.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace brio {
namespace {

constexpr int kPoints = 0, kLines = 1, kTriangles = 4;

/// Numbers pairs of point and texture point in the order in which they come.
class DrawnCorners {
 public:
  DrawnCorners(GlbMesh& mesh, const TriangleSurface& surface) : mesh_(mesh), surface_(surface) {}

  std::uint32_t number(int triangle, int corner) {
    const int point = surface_.triangles(triangle, corner), uv = surface_.uv_triangles(triangle, corner);
    const auto [place, is_new] = numbers_.try_emplace({point, uv}, static_cast<std::uint32_t>(mesh_.points.size()));
    if (is_new) {
      mesh_.points.push_back(point);
      mesh_.uv.push_back(uv < 0 ? 0 : static_cast<float>(surface_.uv(uv, 0)));
      mesh_.uv.push_back(uv < 0 ? 0 : static_cast<float>(1 - surface_.uv(uv, 1)));  // glTF counts downwards
    }
    return place->second;
  }

 private:
  GlbMesh& mesh_;
  const TriangleSurface& surface_;
  std::map<std::pair<int, int>, std::uint32_t> numbers_;
};

}  // namespace

GlbMesh::GlbMesh(const DrawnPart& part) : normals_(part.skin || part.triangles.rows() > 0) {
  // The skin of several bodies has no texture and no materials.
  const bool own_skin = part.skin && part.body_names.size() < 2;
  const bool textured = own_skin && part.skin->surface.uv_triangles.rows() > 0;
  if (!textured) {
    points.resize(part.vertices.size());
    std::iota(points.begin(), points.end(), 0);
  }
  if (own_skin) {
    bodies.push_back({part.body_names.empty() ? "body" : part.body_names.front()});
    take_skin(part.skin->surface, textured);
    bodies.front().count = points.size();
  } else {
    take_bodies(part);
  }
}

void GlbMesh::take_skin(const TriangleSurface& surface, bool textured) {
  std::vector<GlbPrimitive>& primitives = bodies.front().primitives;
  for (const std::string& name : surface.material_names) primitives.push_back({name});
  if (primitives.empty()) primitives.push_back({bodies.front().name});
  DrawnCorners corners(*this, surface);
  for (int t = 0; t < surface.faces(); ++t) {
    std::vector<std::uint32_t>& indices = primitives[surface.material.size() > 0 ? surface.material[t] : 0].indices;
    for (int c = 0; c < 3; ++c) {
      indices.push_back(textured ? corners.number(t, c) : static_cast<std::uint32_t>(surface.triangles(t, c)));
    }
  }
}

void GlbMesh::take_bodies(const DrawnPart& part) {
  const auto body_of = [&](int point) { return part.body.empty() ? 0 : part.body[point]; };
  std::stable_sort(points.begin(), points.end(), [&](int a, int b) { return body_of(a) < body_of(b); });
  std::vector<std::uint32_t> place(points.size());  // of each point among those of its body
  for (size_t i = 0, first = 0; i < points.size(); ++i) {
    if (body_of(points[i]) != body_of(points[first])) first = i;
    place[points[i]] = static_cast<std::uint32_t>(i - first);
    if (i == first) bodies.push_back({part.body_names.empty() ? "body" : part.body_names[body_of(points[i])], i});
    ++bodies.back().count;
  }
  const auto take = [&](int mode, const auto& cells) {
    for (GlbBody& body : bodies) {
      GlbPrimitive made{body.name, mode};
      const int number = body_of(points[body.first]);
      for (const auto& cell : cells.rowwise())
        if (body_of(cell[0]) == number)
          for (int point : cell) made.indices.push_back(place[point]);
      if (!made.indices.empty()) body.primitives.push_back(std::move(made));
    }
  };
  take(kTriangles, part.triangles);
  for (GlbBody& body : bodies) body.has_normals = !body.primitives.empty();
  take(kLines, part.edges);
  if (part.triangles.rows() + part.edges.rows() == 0)
    take(kPoints, Eigen::Map<const VectorXi>(points.data(), static_cast<Index>(points.size())));
}

std::vector<float> GlbMesh::attributes(const MatrixX3d& x, const MatrixX3i& triangles) const {
  std::vector<float> floats;
  const auto add = [&](const MatrixX3d& rows) {
    for (int point : points)
      for (int k = 0; k < 3; ++k) floats.push_back(static_cast<float>(rows(point, k)));
  };
  floats.reserve(static_cast<size_t>(this->floats()));
  add(x);
  if (normals_) add(vertex_normals(x, triangles));
  return floats;
}

MatrixX3d vertex_normals(const MatrixX3d& x, const MatrixX3i& triangles) {
  MatrixX3d normals = MatrixX3d::Zero(x.rows(), 3);
  for (const auto& t : triangles.rowwise()) {
    const Vec3 a = x.row(t[0]), b = x.row(t[1]), c = x.row(t[2]);
    const Vec3 area = (b - a).cross(c - a);
    for (int corner : t) normals.row(corner) += area.transpose();
  }
  for (auto normal : normals.rowwise()) {
    const double length = normal.norm();
    normal = length > 0 ? Eigen::RowVector3d(normal / length) : Eigen::RowVector3d(0, 1, 0);
  }
  return normals;
}

}  // namespace brio
