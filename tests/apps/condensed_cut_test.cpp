// A condensed body that is cut: nodes are chosen again, and what they do goes on in files of its own.

#include "apps/program.hpp"

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::kScenes;
using testing::lines_of;
using testing::Outcome;

TEST(CondensedCut, nodes_are_chosen_again_and_their_books_go_on) {
  const auto folder = fresh_folder("condensed-cut");
  const Outcome outcome = brio(
      fmt::format("run {}conjac-barcut.json -o '{}' --steps 8 --set 'mesh.cells=[14,3,3]' --set 'cuts[0].time=0.02' "
                  "--set 'cuts[1].time=0.03' --set 'output.frames=[]' --set 'condensation.nodes={{\"choose\": "
                  "\"farthest\", \"count\": 3}}' "
                  "--set 'condensation.adaptive={{\"threshold\": 0, \"window\": 2}}'",
                  kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // The heading, and four, two and two steps.
  EXPECT_EQ(lines_of(folder / "liveliness.csv"), 1 + 4);
  EXPECT_EQ(lines_of(folder / "liveliness-cut1.csv"), 1 + 2);
  EXPECT_EQ(lines_of(folder / "liveliness-cut2.csv"), 1 + 2);
  // The middle piece is free after the second cut: it has three nodes or is given what it lacks.
  EXPECT_NE(outcome.err.find("a piece of the body that nothing holds needs three dynamic nodes"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace brio
