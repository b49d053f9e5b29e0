#include "brio/core/vertex_packs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace brio::testing {
namespace {

constexpr int kVertices = 12;
constexpr VertexIndex kSome[kLanes] = {7, 0, 3, 3, 11, 5, 0, 3};  // some of them several times

TEST(VertexPacks, loads_the_coordinates_of_each_vertex) {
  double at[kVertexStride * kVertices];
  std::iota(std::begin(at), std::end(at), 1.0);
  const V3<Pack> x = load_vertices(at, kSome);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(x[i][lane], at[kVertexStride * kSome[lane] + i]) << lane << ' ' << i;
}

TEST(VertexPacks, adds_to_each_vertex_as_often_as_it_is_named) {
  double at[kVertexStride * kVertices], expected[kVertexStride * kVertices];
  std::iota(std::begin(at), std::end(at), 1.0);
  std::copy(std::begin(at), std::end(at), expected);
  V3<Pack> f;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 3; ++i) {
      f[i][lane] = 100 * i + lane;
      expected[kVertexStride * kSome[lane] + i] += f[i][lane];
    }
  add_to_vertices(f, kSome, at);
  for (int k = 0; k < kVertexStride * kVertices; ++k) EXPECT_EQ(at[k], expected[k]) << k;
}

}  // namespace
}  // namespace brio::testing
