// brio quasistatic: what it writes, what it says, and its exit codes.

#include "brio/core/json.hpp"

#include "apps/program.hpp"

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::kScenes;
using testing::lines_of;
using testing::Outcome;

Json summary_of(const std::filesystem::path& folder) { return Json::parse(read_text(folder / "summary.json")); }

TEST(QuasistaticCommand, writes_everything) {
  const auto folder = fresh_folder("rest");
  const Outcome outcome =
      brio(fmt::format("quasistatic {}bar-1k.json -o '{}' --frames obj,vtu", kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("converged: "), std::string::npos) << outcome.out;
  const auto summary = summary_of(folder);
  EXPECT_EQ(summary["status"], "converged");
  EXPECT_EQ(summary["message"], "");
  EXPECT_EQ(summary["stable"], true);
  EXPECT_LE(summary["residual"].get<double>(), 1e-8);
  // 4 kg less the share of the held end, of which a vertex carries up to half a cell.
  EXPECT_NEAR(summary["load"].get<double>(), 4 * 9.81 * (1 - 0.5 / 16), 0.1);
  EXPECT_GT(summary["energy"]["elastic"].get<double>(), 0);
  EXPECT_EQ(lines_of(folder / "iterations.csv"), summary["iterations"].get<int>() + 2);  // a header and the start
  EXPECT_TRUE(std::filesystem::exists(folder / "obj" / "frame_000000.obj"));
  EXPECT_FALSE(std::filesystem::exists(folder / "obj" / "frame_000001.obj")) << "only the final shape";
  EXPECT_TRUE(std::filesystem::exists(folder / "vtu" / "frame_000000.vtu"));
  EXPECT_NE(read_text(folder / "report.html").find("\"kind\":\"quasistatic\""), std::string::npos);
}

TEST(QuasistaticCommand, a_twisted_and_shaken_start_comes_to_the_same_shape) {
  const auto folder = fresh_folder("rest-energy");
  const auto energy = [&](const std::string& more) {
    EXPECT_EQ(
        brio(fmt::format("quasistatic {}bar-1k.json -o '{}' --frames none {}", kScenes, folder.string(), more)).code,
        0);
    return summary_of(folder)["energy"]["total"].get<double>();
  };
  const double straight = energy("");
  EXPECT_NEAR(energy("--set initial.twist_degrees=90 --set initial.jitter=0.003"), straight,
              1e-9 * std::fabs(straight));
}

TEST(QuasistaticCommand, a_body_that_nothing_holds_is_explained) {
  const Outcome outcome = brio("quasistatic " + kScenes + "spinning-bar.json --set 'gravity=[0,-9.81,0]' -o rest");
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"spinning-bar.json: nothing holds the body", "-39.24", "constraints", "gravity=[0,0,0]"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  // Without a force it has one, and a body that falls on something finds it.
  EXPECT_EQ(brio("quasistatic " + kScenes + "spinning-bar.json -o rest --frames none").code, 0);
  const Outcome ball = brio("quasistatic " + kScenes + "ball-drop.json -o rest --frames none");
  EXPECT_EQ(ball.code, 0) << ball.out << ball.err;
}

TEST(QuasistaticCommand, not_converged_is_three_with_what_was_found) {
  const auto folder = fresh_folder("hurried");
  const Outcome outcome =
      brio(fmt::format("quasistatic {}bar-1k.json -o '{}' --iterations 2 --frames none", kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--iterations"), std::string::npos) << outcome.err;
  EXPECT_EQ(summary_of(folder)["status"], "not-converged");
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
}

TEST(QuasistaticCommand, wrong_usage_is_two) {
  for (const char* more : {"--tolerance 0", "--tolerance x", "--iterations 0", "--time soon", "--frames gif"})
    EXPECT_EQ(brio("quasistatic " + kScenes + "bar-1k.json " + more).code, 2) << more;
}

}  // namespace
}  // namespace brio
