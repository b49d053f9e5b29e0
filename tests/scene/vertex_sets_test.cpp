// Selectors on a grid of 4 x 3 x 2 points with unit spacing, whose vertex (i, j, k) has the number i + 4 j + 12 k.

#include "brio/scene/vertex_sets.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

MatrixX3d grid() {
  MatrixX3d X(24, 3);
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 4; ++i) X.row(i + 4 * j + 12 * k) = Vec3(i, j, k);
  return X;
}

using Given = std::map<std::string, OptionValue>;

SetSpec spec(const std::string& name, const std::string& selector, const Given& given) {
  const Entry& row = find_row(selectors(), "selector", selector);
  return {name, {selector, Options(row.options, given, "sets." + name), "sets." + name, {}}};
}

VertexSet select(const std::string& selector, const Given& given, const VertexSets& groups = {}) {
  return select_vertices({spec("s", selector, given)}, grid(), groups).at("s");
}

std::string refused_sets(const std::vector<SetSpec>& sets, const VertexSets& groups = {}) {
  try {
    select_vertices(sets, grid(), groups);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(VertexSets, box) {
  EXPECT_EQ(select("box", {{"min", Vec3(2, 1, 0)}, {"max", Vec3(3, 1.5, 0.5)}}), (VertexSet{6, 7}));
}

TEST(VertexSets, sphere) {
  EXPECT_EQ(select("sphere", {{"center", Vec3(0, 0, 0)}, {"radius", 1.0}}), (VertexSet{0, 1, 4, 12}));
}

TEST(VertexSets, plane) {
  const Given at_x1{{"point", Vec3(1, 5, 5)}, {"normal", Vec3(10, 0, 0)}};
  EXPECT_EQ(select("plane", at_x1), (VertexSet{1, 5, 9, 13, 17, 21}));
  Given behind = at_x1;
  behind["side"] = "behind";
  EXPECT_EQ(select("plane", behind), (VertexSet{0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21}));
  Given thick = at_x1;
  thick["tolerance"] = 1.0;
  EXPECT_EQ(select("plane", thick).size(), 18u);
}

TEST(VertexSets, nearest) {
  EXPECT_EQ(select("nearest", {{"point", Vec3(2.9, 2.2, 7)}}), VertexSet{23});
  EXPECT_EQ(select("nearest", {{"point", Vec3(0.5, 0, 0)}}), VertexSet{0});  // of two equally near ones, the first
}

TEST(VertexSets, indices_are_sorted_and_unique) {
  EXPECT_EQ(select("indices", {{"indices", std::vector<double>{5, 3, 5, 23}}}), (VertexSet{3, 5, 23}));
}

TEST(VertexSets, extreme) {
  EXPECT_EQ(select("extreme", {{"axis", "x"}, {"side", "min"}}), (VertexSet{0, 4, 8, 12, 16, 20}));
  EXPECT_EQ(select("extreme", {{"axis", "y"}, {"side", "max"}}), (VertexSet{8, 9, 10, 11, 20, 21, 22, 23}));
  EXPECT_EQ(select("extreme", {{"axis", "x"}, {"side", "max"}, {"tolerance", 0.34}}).size(), 12u);
}

TEST(VertexSets, all_group_and_union) {
  EXPECT_EQ(select("all", {}).size(), 24u);
  const VertexSets groups{{"tip", {7, 3}}};
  EXPECT_EQ(select("group", {{"group", "tip"}}, groups), (VertexSet{3, 7}));
  const auto sets = select_vertices(
      {spec("both", "union", {{"sets", std::vector<std::string>{"tip", "first", "tip"}}}),
       spec("tip", "group", {{"group", "tip"}}), spec("first", "indices", {{"indices", std::vector<double>{0, 3}}})},
      grid(), groups);
  EXPECT_EQ(sets.at("both"), (VertexSet{0, 3, 7}));
  EXPECT_EQ(sets.size(), 3u);
}

TEST(VertexSets, empty_selection_gives_the_extent) {
  EXPECT_EQ(refused_sets({spec("top", "sphere", {{"center", Vec3(9, 9, 9)}, {"radius", 1.0}})}),
            "sets.top: the set \"top\" is empty; the mesh extends from [0, 0, 0] to [3, 2, 1]");
}

TEST(VertexSets, refusals) {
  EXPECT_EQ(refused_sets({spec("s", "indices", {{"indices", std::vector<double>{24}}})}),
            "sets.s: there is no vertex 24; the mesh has 24, counted from 0");
  EXPECT_EQ(refused_sets({spec("s", "box", {{"min", Vec3(1, 0, 0)}, {"max", Vec3(0, 1, 1)}})}),
            "sets.s: \"max\" must not be below \"min\" in any coordinate");
  EXPECT_EQ(refused_sets({spec("s", "plane", {{"point", Vec3(0, 0, 0)}, {"normal", Vec3(0, 0, 0)}})}),
            "sets.s: \"normal\" must not be zero");
  EXPECT_EQ(refused_sets({spec("s", "group", {{"group", "tipp"}})}, {{"tip", {1}}, {"root", {0}}}),
            "sets.s: unknown group \"tipp\"; did you mean \"tip\"? (known: root, tip)");
  EXPECT_EQ(refused_sets({spec("s", "group", {{"group", "tip"}})}),
            "sets.s: unknown group \"tip\"; the mesh has no named groups");
  EXPECT_EQ(refused_sets({spec("s", "union", {{"sets", std::vector<std::string>{"s"}}})}),
            "sets.s: the union \"s\" contains itself");
}

}  // namespace
}  // namespace brio
