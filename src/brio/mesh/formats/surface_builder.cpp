#include "brio/mesh/formats/surface_builder.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {

void SurfaceBuilder::Labels::start(const std::string& name) {
  const auto [place, fresh] = numbers.emplace(name, static_cast<int>(names.size()));
  if (fresh) names.push_back(name);
  current = place->second;
}

void SurfaceBuilder::add_face(std::span<const FaceCorner> corners) {
  if (corners.size() < 3) ++small_;
  if (corners.size() > 3) ++cut_;
  for (size_t i = 2; i < corners.size(); ++i) {
    triangles_.push_back({corners[0], corners[i - 1], corners[i]});
    for (Labels* labels : {&groups_, &materials_}) labels->of_face.push_back(labels->current);
  }
}

void SurfaceBuilder::check(const std::string& path) const {
  if (triangles_.empty()) throw Error("{}: holds no faces ({} points)", path, points_.size());
  for (size_t f = 0; f < triangles_.size(); ++f) {
    for (const FaceCorner& corner : triangles_[f]) {
      if (corner.point < 0 || corner.point >= vertices()) {
        throw Error("{}: triangle {} names point {}, but there are {} (counted from 0)", path, f, corner.point,
                    points_.size());
      }
      if (corner.uv < -1 || corner.uv >= uvs()) {
        throw Error("{}: triangle {} names texture point {}, but there are {} (counted from 0)", path, f, corner.uv,
                    uv_.size());
      }
    }
  }
}

void SurfaceBuilder::Labels::use(VectorXi& faces, std::vector<std::string>& used) {
  if (names.empty()) return;
  start("default");
  std::replace(of_face.begin(), of_face.end(), -1, current);
  std::vector<int> row(names.size(), -1);
  faces.resize(static_cast<Index>(of_face.size()));
  for (size_t f = 0; f < of_face.size(); ++f) {
    int& number = row[of_face[f]];
    if (number < 0) {
      number = static_cast<int>(used.size());
      used.push_back(names[of_face[f]]);
    }
    faces[static_cast<Index>(f)] = number;
  }
}

LoadedMesh SurfaceBuilder::finish(const std::string& path) {
  check(path);
  LoadedMesh loaded;
  TriangleSurface& surface = loaded.surface;
  const Index m = static_cast<Index>(triangles_.size());
  surface.X = Eigen::Map<const MatrixX3d>(points_.front().data(), static_cast<Index>(points_.size()), 3);
  surface.triangles.resize(m, 3);
  if (!uv_.empty()) {
    surface.uv = Eigen::Map<const MatrixX2d>(uv_.front().data(), static_cast<Index>(uv_.size()), 2);
    surface.uv_triangles.resize(m, 3);
  }
  for (Index f = 0; f < m; ++f) {
    for (int c = 0; c < 3; ++c) {
      surface.triangles(f, c) = triangles_[f][c].point;
      if (!uv_.empty()) surface.uv_triangles(f, c) = triangles_[f][c].uv;
    }
  }
  groups_.use(surface.group, surface.group_names);
  materials_.use(surface.material, surface.material_names);
  surface.material_files = std::move(material_files_);
  if (cut_ > 0) {
    loaded.messages.push_back(fmt::format("{} faces with more than three corners: cut into triangles", cut_));
  }
  if (small_ > 0) loaded.other_cells["faces of one or two corners"] = small_;
  return loaded;
}

}  // namespace brio
