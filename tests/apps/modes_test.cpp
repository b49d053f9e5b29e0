// brio modes: what it prints and writes, and what it refuses.

#include "apps/program.hpp"

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::kScenes;
using testing::lines_of;
using testing::Outcome;

TEST(ModesCommand, prints_a_table_and_writes_a_table_and_a_page) {
  const auto folder = fresh_folder("modes");
  const Outcome outcome = brio(fmt::format("modes {}spinning-bar.json -s 4 -o '{}'", kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"initial shape; h = 0.01 s", "rigid 6", " Hz", "h omega", "mass in x, y, z", "modes.html"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  EXPECT_EQ(lines_of(folder / "modes.csv"), 1 + 6 + 4);
  const std::string table = read_text(folder / "modes.csv");
  EXPECT_NE(table.find("\nrigid 1,rigid,"), std::string::npos) << table;
  EXPECT_NE(table.find("\n1,elastic,"), std::string::npos) << table;
  EXPECT_NE(read_text(folder / "modes.html").find("\"kind\":\"modes\""), std::string::npos);
}

TEST(ModesCommand, may_be_asked_for_the_shape_at_rest) {
  const auto folder = fresh_folder("modes-at-rest");
  const auto first_row = [&](const std::string& more) {
    const Outcome outcome = brio(fmt::format("modes {}bar-1k.json -s 2 {} -o '{}'", kScenes, more, folder.string()));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_text(folder / "modes.csv");
  };
  EXPECT_NE(first_row(""), first_row("--at-rest"));
}

TEST(ModesCommand, refuses_what_cannot_be) {
  struct Refused {
    std::string arguments, reason;
  };
  for (const auto& [arguments, reason] :
       {Refused{"bar-1k.json -s 0", "modes"}, Refused{"bar-1k.json -s 1001", "modes"},
        Refused{"bar-1k.json -s 900 --set mesh.cells_across=1", "degrees of freedom"},
        Refused{"bar-1k.json --set sets.wall.select=all", "wall"}, Refused{"missing.json", "missing.json"}}) {
    const Outcome outcome = brio("modes " + kScenes + arguments + " -o out");
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << arguments << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace brio
