#include "brio/output/report.hpp"

#include "brio/core/error.hpp"
#include "brio/output/base64.hpp"
#include "brio/output/report_template.hpp"

#include "output/files.hpp"
#include "output/mixed_world.hpp"
#include "output/page_data.hpp"
#include "output/swinging_bar.hpp"
#include <cstdlib>

using namespace brio;
using namespace brio::testing;

namespace {

/// The books of a rigid rod that swings as the bar does, with a little friction: something to look at.
SeriesRow books(double t) {
  constexpr double mass = 320, g = 9.81, l = SwingingBar::kLength;  // [kg], [m/s^2], [m]
  constexpr double omega = 2 * M_PI / SwingingBar::kPeriod;         // [1/s]
  const double swing = SwingingBar::kSwing + 0.1, angle = swing * std::cos(omega * t);
  const double rate = -swing * omega * std::sin(omega * t);
  SeriesRow row;
  row.time = t;
  row.kinetic = mass * l * l * rate * rate / 6;
  row.gravity = -mass * g * l / 2 * std::cos(angle);
  row.elastic = 180 * std::pow(std::cos(omega * t), 2);
  row.dissipated = 12 * t;
  row.linear_momentum = mass * l / 2 * rate * Vec3(std::cos(angle), 0, std::sin(angle));
  row.angular_momentum = {0, -mass * l * l / 3 * rate, 0};
  return row;
}

RunSummary example_summary(const SwingingBar& bar) {
  RunSummary summary;
  summary.integrator = "si";
  summary.status = "finished";
  summary.vertices = bar.body.vertices;
  summary.elements = static_cast<int>(bar.body.tets.rows());
  summary.h = 0.01;
  summary.steps = 400;
  summary.wall_s = 1.52;
  summary.step_ms_median = 3.6;
  summary.step_ms_p95 = 4.4;
  summary.phase_ms = {{"assembly", 0.4}, {"factor", 2.4}, {"solve", 0.6}, {"other", 0.2}};
  summary.peak_rss_mb = 46;
  return summary;
}

void write_example(const std::filesystem::path& path, const Report& texts, const std::string& status) {
  SwingingBar bar(6);
  Recording recording(bar.body, {});
  Series series;
  for (int k = 0; k <= 400; ++k) {
    if (k % 4 == 0) recording.add(bar.frame(0.01 * k));
    series.add(books(0.01 * k));
  }
  Report report = texts;
  RunSummary summary = example_summary(bar);
  summary.status = status;
  if (status != "finished") summary.message = "Step 401: the energy grew a thousandfold. Try a smaller h.";
  if (status == "doubtful") {
    summary.shares = {{"naps", {"asleep", 0.5, "coffee"}, 0.8}};
    summary.message = doubts(summary.shares);
  }
  report.runs.push_back({"run", summary, recording, series});
  write_report(path, report);
}

/// The bar with two nodes that take turns: the upper half is awake in the first half of the run, then the lower one.
void write_adaptive_example(const std::filesystem::path& path, Report report) {
  SwingingBar bar(6);
  for (Index i = 0; i < bar.rest.rows(); ++i)
    bar.body.node_region.push_back(bar.rest(i, 2) > -SwingingBar::kLength / 2 ? 0 : 1);
  Recording recording(bar.body, {});
  Series series;
  for (int k = 0; k <= 20; ++k) {
    const bool early = k < 10;
    const NodeStates nodes{{early, !early}, {early ? 0.5 : 0.01, early ? 0.02 : 0.4}};
    recording.add(bar.frame(0.05 * k), k > 0 ? nodes : NodeStates{});
    series.add(books(0.05 * k));
  }
  report.runs.push_back({"run", example_summary(bar), recording, series});
  write_report(path, report);
}

/// A solid, a sheet and a rope by name, and the books of each.
void write_bodies_example(const std::filesystem::path& path) {
  MixedWorld world;
  Recording recording(world.body, {});
  Series series;
  BodySeries bodies(3);
  for (int k = 0; k <= 40; ++k) {
    recording.add(world.frame(0.05 * k));
    series.add(books(0.05 * k));
    StepRecord record;
    record.time = 0.05 * k;
    record.bodies.resize(3);
    for (int b = 0; b < 3; ++b) record.bodies[b].kinetic = 10 * (b + 1) + std::sin(record.time);
    bodies.add(record);
  }
  RunSummary summary = example_summary(world.bar);
  summary.bodies = {{"bar", 99, 240, "tetrahedra", 320, 10, 11},
                    {"sheet", 25, 72, "springs", 0.5, 20, 21},
                    {"Seil \xc3\xbc", 9, 8, "springs", 0.25, 30, 31}};
  ReportedRun run{"run", summary, recording, series};
  run.bodies = &bodies;
  write_report(path, {"Three bodies", "A solid, a sheet and a rope.", Vec3::UnitZ(), {run}});
}

/// A rope that waves above every kind of obstacle, one of them moving.
void write_rope_example(const std::filesystem::path& path) {
  BodyTopology rope;
  rope.vertices = 41;
  rope.edges.resize(40, 2);
  for (int i = 0; i < 40; ++i) rope.edges.row(i) << i, i + 1;
  using Kind = ObstacleDrawing::Kind;
  const std::vector<DrawnObstacle> obstacles{{Kind::half_space, Vec3::Zero()},
                                             {Kind::sphere, {0.25, 0, 0}},
                                             {Kind::torus, {0.3, 0.08, 0}},
                                             {Kind::box, {0.2, 0.3, 0.1}}};
  const Eigen::Quaterniond z_up(Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()));
  Recording recording(rope, obstacles);
  Series series;
  for (int k = 0; k <= 50; ++k) {
    const double t = 0.02 * k;
    MatrixX3d x(41, 3), v(41, 3);
    for (int i = 0; i < 41; ++i) {
      const double phase = 0.3 * i - 2 * M_PI * t;
      x.row(i) << 0.05 * i - 1, 0.8 + 0.1 * std::sin(phase), 0;
      v.row(i) << 0, -0.2 * M_PI * std::cos(phase), 0;
    }
    const std::vector<Placement> placed{{Vec3::Zero(), z_up},
                                        {{-0.6, 0.25 + 0.2 * t, 0}, Eigen::Quaterniond::Identity()},
                                        {{0, 0.4, 0}, Eigen::Quaterniond::Identity()},
                                        {{0.65, 0.3, 0}, Eigen::Quaterniond::Identity()}};
    recording.add({t, x, v, v.rowwise().norm() / 10, placed});
    series.add(books(t));
  }
  RunSummary summary;
  summary.integrator = "si";
  summary.status = "interrupted";
  summary.message = "Stopped by hand.";
  write_report(path,
               {"Rope <b>& co</b>", "Every kind of obstacle.", Vec3::UnitY(), {{"rope", summary, recording, series}}});
}

}  // namespace

TEST(Base64, agrees_with_the_examples_of_the_standard) {
  const auto text = [](std::string_view bytes) { return base64(std::as_bytes(std::span(bytes))); };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foo"), "Zm9v");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
  EXPECT_EQ(text("\xff\xef\xbe"), "/+++");
}

TEST(Report, template_has_one_place_for_the_data) {
  const std::string page(report_template());
  EXPECT_EQ(page.find(kReportDataMark), page.rfind(kReportDataMark));
  EXPECT_NE(page.find(kReportDataMark), page.npos);
}

TEST(Report, carries_the_numbers) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  DrawnObstacle torus;
  torus.kind = ObstacleDrawing::Kind::torus;
  torus.size = {1, 0.25, 0};
  Recording recording(bar.body, {torus});
  Series series;
  for (double t : {0.0, 0.5}) {
    const Frame frame = bar.frame(t);
    Placement pose;
    pose.position = {t, 2, 3};
    pose.rotation = Eigen::AngleAxisd(t, Vec3::UnitX());
    recording.add({t, frame.x, frame.v, frame.strain, {pose}});
    series.add(books(t));
  }
  write_report(folder / "report.html",
               {"Title", "Text", Vec3::UnitY(), {{"a", example_summary(bar), recording, series}}});

  const auto data = page_data(contents(folder / "report.html"));
  EXPECT_EQ(data["title"], "Title");
  EXPECT_EQ(data["up"], Json({0.0, 1.0, 0.0}));
  const auto& run = data["runs"][0];
  EXPECT_EQ(run["summary"]["steps"], 400);
  EXPECT_EQ(run["summary"]["phase_ms"]["factor"], 2.4);
  EXPECT_EQ(run["obstacles"][0]["shape"], "torus");
  ASSERT_EQ(run["frames"].size(), 2u);
  EXPECT_EQ(run["frames"][1]["obstacles"][0], Json({0.5, 2.0, 3.0, std::sin(0.25), 0.0, 0.0, std::cos(0.25)}));
  const std::string position = decode(run["frames"][1]["position"]);
  ASSERT_EQ(position.size(), 24u * 6);
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(read_at<std::uint16_t>(position, 6 * i + 2), recording.frames()[1]->position[3 * i + 1]);
  EXPECT_EQ(read_at<std::int32_t>(decode(run["parts"][0]["triangles"]), 4), recording.part().triangles(0, 1));
  EXPECT_EQ(read_at<double>(decode(run["series"]["gravity"]), 8), books(0.5).gravity);
}

TEST(Report, hostile_text_stays_text) {
  TemporaryFolder folder;
  Report report;
  report.title = "</script><script>alert(1)</script><!--";
  report.description = "not UTF-8: \xff; quote \" and {{brio-data}}";
  write_report(folder / "report.html", report);
  const std::string page = contents(folder / "report.html");
  EXPECT_EQ(page.find("alert(1)</script>"), page.npos);
  const auto data = page_data(page);
  EXPECT_EQ(data["title"], report.title);
  EXPECT_EQ(data["description"], "not UTF-8: \xef\xbf\xbd; quote \" and {{brio-data}}");
}

TEST(Report, says_which_file_cannot_be_written) {
  EXPECT_NE(message_of<Error>([] { write_report("/nowhere/report.html", {}); }).find("/nowhere/report.html"),
            std::string::npos);
}

// The pages that report_page_test.mjs opens in a browser.
TEST(ReportPage, writes_examples) {
  const char* folder = std::getenv("BRIO_PAGE_FOLDER");
  if (!folder) GTEST_SKIP() << "report_page_test.mjs sets BRIO_PAGE_FOLDER";
  Report texts;
  texts.title = "Swinging bar";
  texts.up = Vec3::UnitZ();
  texts.description = "A soft bar swings about its upper end and bends as it goes.";
  write_example(std::filesystem::path(folder) / "finished.html", texts, "finished");
  write_example(std::filesystem::path(folder) / "diverged.html", texts, "diverged");
  write_example(std::filesystem::path(folder) / "doubtful.html", texts, "doubtful");
  write_adaptive_example(std::filesystem::path(folder) / "adaptive.html", texts);
  write_rope_example(std::filesystem::path(folder) / "rope.html");
  write_bodies_example(std::filesystem::path(folder) / "bodies.html");
}
