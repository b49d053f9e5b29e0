#pragma once
// A tree of boxes over the triangles of a surface, for distances, winding numbers and crossings.

#include "brio/mesh/solids/signed_distance.hpp"
#include "brio/mesh/triangle_surface.hpp"

#include <array>
#include <functional>
#include <vector>

namespace brio {

using Triangle = std::array<Vec3, 3>;

/// The part of all directions from x in which the triangle is seen, positive from behind: x is inside [1].
double winding_of(const Triangle& triangle, const Vec3& x);
double squared_distance(const Triangle& triangle, const Vec3& x);

class WindingTree {
 public:
  explicit WindingTree(const TriangleSurface& surface);

  Box bounds() const { return nodes_[0].box; }
  double distance(const Vec3& x) const;
  /// Groups of triangles far away count as one dipole [Barill et al. 2018]; right to some hundredths.
  double winding(const Vec3& x) const;
  /// Calls found(t) for every triangle of the surface whose box meets this one.
  void for_each_near(const Box& box, const std::function<void(int)>& found) const;

 private:
  struct Node {
    Box box;
    int begin = 0, end = 0;      ///< in order_
    int left = -1, right = -1;   ///< nodes; -1 for a leaf
    Vec3 normal = Vec3::Zero();  ///< sum of area times unit normal [m^2]
    Vec3 middle = Vec3::Zero();  ///< mean place, by area [m]
    double radius = 0;           ///< around `middle` [m]
  };
  int build(int begin, int end, const std::vector<Vec3>& centroids);
  void gather(Node& node) const;

  std::vector<Triangle> triangles_;  ///< in the surface's order
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace brio
