#include "brio/mesh/faces.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace brio {
namespace {

struct Face {
  int middle, largest;  ///< the two larger vertices; the smallest is the bucket
  FaceId id;
};

std::array<int, 3> sorted_vertices(const TetMesh& mesh, FaceId id) {
  std::array<int, 3> v = vertices_of(mesh, id);
  std::sort(v.begin(), v.end());
  return v;
}

}  // namespace

Faces find_faces(const TetMesh& mesh) {
  // Faces go into buckets by their smallest vertex; a bucket is so small that sorting it costs next to nothing.
  const FaceId count = 4 * static_cast<FaceId>(mesh.tets());
  std::vector<FaceId> start(mesh.vertices() + 2, 0);
  for (FaceId id = 0; id < count; ++id) ++start[sorted_vertices(mesh, id)[0] + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Face> faces(count);
  for (FaceId id = 0; id < count; ++id) {
    const auto v = sorted_vertices(mesh, id);
    faces[start[v[0] + 1]++] = {v[1], v[2], id};
  }

  Faces found;
  for (int bucket = 0; bucket < mesh.vertices(); ++bucket) {
    const auto first = faces.begin() + start[bucket], last = faces.begin() + start[bucket + 1];
    const auto key = [](const Face& f) { return std::pair(f.middle, f.largest); };
    std::sort(first, last, [](const Face& a, const Face& b) {
      return std::tie(a.middle, a.largest, a.id) < std::tie(b.middle, b.largest, b.id);
    });
    for (auto run = first; run != last;) {
      const auto next = std::find_if(run, last, [&](const Face& f) { return key(f) != key(*run); });
      if (next - run == 1) found.single.push_back(run->id);
      for (auto other = run + 1; other < next; ++other) found.shared.push_back({run->id, other->id});
      run = next;
    }
  }
  std::sort(found.single.begin(), found.single.end());
  std::sort(found.shared.begin(), found.shared.end());
  return found;
}

}  // namespace brio
