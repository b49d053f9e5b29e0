#include "brio/mesh/faces.hpp"

#include "brio/mesh/buckets.hpp"

#include <algorithm>
#include <compare>

namespace brio {
namespace {

struct Face {
  int middle, largest;  ///< the two larger vertices; the smallest is the bucket
  FaceId id;
  auto operator<=>(const Face&) const = default;
};

}  // namespace

Faces find_faces(const TetMesh& mesh) {
  const FaceId count = 4 * static_cast<FaceId>(mesh.tets());
  const Buckets<Face> faces = sort_into_buckets<Face>(count, mesh.vertices(), [&](FaceId id) {
    std::array<int, 3> v = vertices_of(mesh, id);
    std::sort(v.begin(), v.end());
    return std::pair(v[0], Face{v[1], v[2], id});
  });

  // For each face the one that it shares, seen from the first tetrahedron.
  constexpr FaceId kSingle = -1, kSharedBefore = -2;
  std::vector<FaceId> other(count, kSharedBefore);
  Faces found;
  for (int bucket = 0; bucket < mesh.vertices(); ++bucket) {
    const auto last = faces.items.begin() + faces.start[bucket + 1];
    for (auto run = faces.items.begin() + faces.start[bucket]; run != last;) {
      auto next = run + 1;
      while (next != last && next->middle == run->middle && next->largest == run->largest) ++next;
      other[run->id] = next - run == 1 ? kSingle : run[1].id;
      for (auto third = run + 2; third < next; ++third) found.shared.push_back({run->id, third->id});  // they overlap
      run = next;
    }
  }
  const bool overlap = !found.shared.empty();
  for (FaceId id = 0; id < count; ++id) {
    if (other[id] == kSingle) found.single.push_back(id);
    if (other[id] >= 0) found.shared.push_back({id, other[id]});
  }
  if (overlap) std::sort(found.shared.begin(), found.shared.end());
  return found;
}

}  // namespace brio
