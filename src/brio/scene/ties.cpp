#include "brio/scene/ties.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {
namespace {

Tie to_nearest(int vertex, const VertexSet& others, const World& world) {
  Tie tie{vertex, {}, {1, 0, 0, 0}, std::numeric_limits<double>::infinity()};
  for (int other : others) {
    const double distance = (world.x0.row(other) - world.x0.row(vertex)).norm();
    if (distance < tie.length) tie.length = distance, tie.carriers.fill(other);
  }
  return tie;
}

std::vector<Tie> to_tetrahedra(const VertexSet& vertices, const Body& body, const World& world) {
  const Embedding embedding = embed(body.mesh, world.x0(vertices, Eigen::all));
  std::vector<Tie> ties;
  for (size_t i = 0; i < vertices.size(); ++i) {
    Tie& tie = ties.emplace_back();
    tie.vertex = vertices[i];
    for (int c = 0; c < 4; ++c) {
      tie.carriers[c] = body.first + embedding.corners(static_cast<Index>(i), c);
      tie.weights[c] = embedding.weights(static_cast<Index>(i), c);
    }
  }
  return ties;
}

/// A bone is moved by six of its points, two on each of three axes: the middle and the three axes carry every point.
Tie to_bone(int vertex, int bone, const World& world) {
  const BonePoints& points = *world.skeleton->points;
  const int six = points.first() + 6 * bone;
  const auto at = [&](int k) { return Vec3(world.x0.row(six + k).transpose()); };
  // With p the positive ends and m the negative end of the first axis, x = m + a (p0 - m) + b (p1 - c) + d (p2 - c) and
  // c = (p0 + m) / 2.
  const Vec3 center = (at(0) + at(1)) / 2, away = Vec3(world.x0.row(vertex).transpose()) - center;
  Vec3 along;
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = at(2 * k) - center;
    along[k] = away.dot(axis) / axis.squaredNorm();
  }
  const double rest = 1 - along[1] - along[2];  // of the center, which the ends of the first axis share
  return {
      vertex, {six, six + 1, six + 2, six + 4}, {(rest + along[0]) / 2, (rest - along[0]) / 2, along[1], along[2]}, 0};
}

std::vector<Tie> to_bones(const VertexSet& vertices, int body, const World& world) {
  const BonePoints& points = *world.skeleton->points;
  std::vector<Tie> ties;
  for (int vertex : vertices) {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < points.count(); ++i) {
      const int bone = points.bone()[i];
      if (world.skeleton->owner[bone] != body) continue;
      const double distance = (world.x0.row(points.first() + i) - world.x0.row(vertex)).norm();
      if (distance < least) least = distance, nearest = bone;
    }
    ties.push_back(to_bone(vertex, nearest, world));
  }
  return ties;
}

}  // namespace

std::vector<Tie> find_ties(const AttachmentSpec& attachment, const VertexSet& vertices, const std::vector<Body>& bodies,
                           const VertexSets& sets, const World& world) {
  const auto named = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const Body& body) { return !body.name.empty() && body.name == *attachment.to; });
  const VertexSet& others = sets.at(*attachment.to);
  for (int v : vertices) {
    const bool own = named != bodies.end() ? world.body_of_vertex[v] == named - bodies.begin()
                                           : std::binary_search(others.begin(), others.end(), v);
    if (own)
      throw Error("{}.to = \"{}\": vertex {} of \"{}\" would be tied to itself; name another body or set",
                  attachment.path, *attachment.to, v, attachment.set);
  }
  if (named != bodies.end() && named->mesh.tets() > 0) return to_tetrahedra(vertices, *named, world);
  if (named != bodies.end() && named->bones > 0 && named->vertices() == 0)
    return to_bones(vertices, static_cast<int>(named - bodies.begin()), world);
  std::vector<Tie> ties;
  for (int v : vertices) ties.push_back(to_nearest(v, others, world));
  return ties;
}

}  // namespace brio
