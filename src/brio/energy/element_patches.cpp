#include "brio/energy/element_patches.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace brio {
namespace {

constexpr int kPatches = 64;
constexpr int kVerticesPerTask = 1024;

}  // namespace

ElementPatches::ElementPatches(const std::vector<int>& vertices, const Sizes& sizes, int mesh_vertices,
                               int first_vertex)
    : sizes_(sizes), first_vertex_(first_vertex) {
  static_assert(10 * kLanes * 32 - 1 <= std::numeric_limits<VertexIndex>::max());
  cut(vertices);
  color(mesh_vertices);
  list_copies(mesh_vertices);
  for (int& vertex : copy_vertex_) vertex += first_vertex_;  // from here on among all vertices
}

void ElementPatches::cut(const std::vector<int>& vertices) {
  const int stride = sizes_.nodes * kLanes, batches = static_cast<int>(vertices.size() / stride);
  const int length = std::clamp(batches / kPatches, sizes_.fewest_batches, sizes_.most_batches);
  for (int begin = 0; begin < batches; begin += length) {
    const int end = std::min(begin + length, batches), first = static_cast<int>(copy_vertex_.size());
    copy_vertex_.insert(copy_vertex_.end(), vertices.begin() + static_cast<Index>(begin) * stride,
                        vertices.begin() + static_cast<Index>(end) * stride);
    std::sort(copy_vertex_.begin() + first, copy_vertex_.end());
    copy_vertex_.erase(std::unique(copy_vertex_.begin() + first, copy_vertex_.end()), copy_vertex_.end());
    patches_.push_back({begin, end, first, static_cast<int>(copy_vertex_.size())});
  }
}

/// Gives each patch the first color that none of its vertices has yet.
void ElementPatches::color(int mesh_vertices) {
  std::vector<std::vector<int>> members;              // patches of each color
  std::vector<std::vector<int>> seen(mesh_vertices);  // colors that each vertex has
  std::vector<char> taken;
  for (size_t p = 0; p < patches_.size(); ++p) {
    taken.assign(members.size() + 1, 0);
    for (int v : vertices_of(patches_[p]))
      for (int c : seen[v]) taken[c] = 1;
    const size_t color = std::find(taken.begin(), taken.end(), 0) - taken.begin();
    if (color == members.size()) members.emplace_back();
    members[color].push_back(static_cast<int>(p));
    for (int v : vertices_of(patches_[p])) seen[v].push_back(static_cast<int>(color));
  }
  color_begin_ = {0};
  for (const std::vector<int>& color : members) {
    colored_.insert(colored_.end(), color.begin(), color.end());
    color_begin_.push_back(static_cast<int>(colored_.size()));
  }
}

void ElementPatches::list_copies(int mesh_vertices) {
  copies_begin_.assign(mesh_vertices + 1, 0);
  for (int v : copy_vertex_) ++copies_begin_[v + 1];
  std::partial_sum(copies_begin_.begin(), copies_begin_.end(), copies_begin_.begin());
  copies_.resize(copy_vertex_.size());
  std::vector<int> next(copies_begin_.begin(), copies_begin_.end() - 1);
  for (size_t copy = 0; copy < copy_vertex_.size(); ++copy)
    copies_[next[copy_vertex_[copy]]++] = static_cast<int>(copy);
}

void ElementPatches::add_forces(const std::vector<double>& copy_force, VectorXd& gradient) const {
  parallel_for(static_cast<int>(copies_begin_.size()) - 1, kVerticesPerTask, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      double sum[3] = {};
      for (int k = copies_begin_[v]; k < copies_begin_[v + 1]; ++k)
        for (int i = 0; i < 3; ++i) sum[i] += copy_force[3 * static_cast<size_t>(copies_[k]) + i];
      for (int i = 0; i < 3; ++i) gradient[3 * (first_vertex_ + v) + i] += sum[i];
    }
  });
}

}  // namespace brio
