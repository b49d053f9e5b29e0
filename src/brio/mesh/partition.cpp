#include "brio/mesh/partition.hpp"

#include "brio/core/error.hpp"
#include "brio/core/spatial_order.hpp"

#ifdef BRIO_SUITESPARSE
#include <metis.h>
#endif

#include <algorithm>

namespace brio {
namespace {

/// Groups are small against a part, so that parts can be of the same size.
int group_size(Index vertices, int parts) {
  constexpr Index kGroupsPerPart = 64, kLargest = 32;
  return static_cast<int>(std::clamp(vertices / (parts * kGroupsPerPart), Index{1}, kLargest));
}

using Couplings = std::vector<std::vector<std::pair<int, int>>>;

/// The part of each group; nothing where METIS is not there.
std::vector<int> divide_groups([[maybe_unused]] const Couplings& couplings,
                               [[maybe_unused]] const std::vector<int>& sizes, [[maybe_unused]] int parts) {
#ifdef BRIO_SUITESPARSE
  std::vector<idx_t> begin = {0}, other, weight, size(sizes.begin(), sizes.end());
  for (const auto& row : couplings) {
    for (const auto& [group, elements] : row) {
      other.push_back(group);
      weight.push_back(elements);
    }
    begin.push_back(static_cast<idx_t>(other.size()));
  }
  idx_t groups = static_cast<idx_t>(sizes.size()), balances = 1, wanted = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // every rank divides for itself, and all must come to the same
  std::vector<idx_t> part(sizes.size(), 0);
  const int status = METIS_PartGraphKway(&groups, &balances, begin.data(), other.data(), size.data(), nullptr,
                                         weight.data(), &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_OK) return {part.begin(), part.end()};
#endif
  return {};
}

}  // namespace

Partition::Partition(const MatrixX3d& x, int parts) : parts_(parts), group_(x.rows()) {
  const int size = group_size(x.rows(), parts);
  const std::vector<int> order = spatial_order(x);
  for (size_t i = 0; i < order.size(); ++i) group_[order[i]] = static_cast<int>(i) / size;
  couplings_.resize((order.size() + size - 1) / size);
}

void Partition::add_element(const int* vertices, int count) {
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if (group_[vertices[a]] != group_[vertices[b]]) {
        add_edge(group_[vertices[a]], group_[vertices[b]]);
        add_edge(group_[vertices[b]], group_[vertices[a]]);
      }
}

void Partition::add_edge(int a, int b) {
  auto& row = couplings_[a];
  const auto known = std::find_if(row.begin(), row.end(), [&](const auto& edge) { return edge.first == b; });
  if (known == row.end())
    row.emplace_back(b, 1);
  else
    ++known->second;
}

std::vector<int> Partition::owners() const {
  if (group_.size() < static_cast<size_t>(parts_))
    throw Error("{} vertices cannot be divided among {} ranks; start fewer", group_.size(), parts_);
  std::vector<int> sizes(couplings_.size(), 0);
  for (const int group : group_) ++sizes[group];
  std::vector<int> part = divide_groups(couplings_, sizes, parts_), count(parts_, 0);
  for (const int p : part) ++count[p];
  if (std::find(count.begin(), count.end(), 0) != count.end()) {  // runs of the curve, all of the same length
    part.resize(couplings_.size());
    for (size_t g = 0; g < part.size(); ++g) part[g] = static_cast<int>(g * parts_ / part.size());
  }
  std::vector<int> owner;
  owner.reserve(group_.size());
  for (const int group : group_) owner.push_back(part[group]);
  return owner;
}

void ConnectedVertices::add_element(const int* vertices, int count) {
  for (int a = 1; a < count; ++a) sets_.join(vertices[0], vertices[a]);
}

std::vector<std::pair<int, int>> ConnectedVertices::pairs() {
  std::vector<std::pair<int, int>> pairs;
  for (int v = 0; v < vertices_; ++v)
    if (sets_.representative(v) != v) pairs.emplace_back(v, sets_.representative(v));
  return pairs;
}

}  // namespace brio
