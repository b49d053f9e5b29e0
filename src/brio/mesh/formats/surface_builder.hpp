#pragma once
// Collects points and faces while a reader goes through a surface file; faces with any number of corners are cut into
// triangles.

#include "brio/mesh/loaded_mesh.hpp"

#include <span>

namespace brio {

/// A corner of a face: a point and, where there is one, a point of the texture; from 0, -1 for none.
struct FaceCorner {
  int point = 0, uv = -1;
};

class SurfaceBuilder {
 public:
  void reserve(size_t vertices) { points_.reserve(vertices); }
  void add_vertex(const Vec3& x) { points_.push_back(x); }
  void add_uv(double u, double v) { uv_.push_back({u, v}); }
  int vertices() const { return static_cast<int>(points_.size()); }
  int uvs() const { return static_cast<int>(uv_.size()); }
  /// Faces that come now belong to the group, or are of the material, of that name.
  void start_group(const std::string& name) { groups_.start(name); }
  void start_material(const std::string& name) { materials_.start(name); }
  void add_material_file(const std::string& name) { material_files_.push_back(name); }
  /// Corners are checked at the end, since points may follow. A face of one or two corners counts as another cell.
  void add_face(std::span<const FaceCorner> corners);

  /// Throws Error when a corner names a point that does not exist, or there is no face.
  LoadedMesh finish(const std::string& path);

 private:
  void check(const std::string& path) const;

  /// A name for each face.
  struct Labels {
    void start(const std::string& name);
    /// Names that no face has are left out; faces before the first name are "default".
    void use(VectorXi& of_face, std::vector<std::string>& names);

    std::map<std::string, int> numbers;
    std::vector<std::string> names;
    std::vector<int> of_face;
    int current = -1;
  };

  std::vector<Vec3> points_;
  std::vector<Eigen::Vector2d> uv_;
  std::vector<std::array<FaceCorner, 3>> triangles_;
  Labels groups_, materials_;
  std::vector<std::string> material_files_;
  int cut_ = 0, small_ = 0;
};

}  // namespace brio
