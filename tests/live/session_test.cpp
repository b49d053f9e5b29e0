// A live session without a network: pauses and resets are exact, changes carry the state over, and what is refused
// changes nothing.

#include "brio/core/text_file.hpp"
#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

#include "live_sessions.hpp"
#include <fstream>
#include <iterator>

namespace brio {
namespace {

TEST(LiveSession, the_clock_paces_the_steps_and_drops_time_when_they_cannot_follow) {
  Session session = session_of({bar_scene("si", kWall)});
  EXPECT_NEAR(session.wait(100), 0.01, 1e-12);
  EXPECT_EQ(session.wait(100.0101), 0);
  session.step();
  EXPECT_NEAR(session.wait(100.0101), 0.0099, 1e-9);
  // Ten seconds later, a tenth of a second is made up for and the rest is dropped.
  int steps = 0;
  while (session.wait(110) == 0 && steps < 100) session.step(), ++steps;
  EXPECT_GE(steps, 9);
  EXPECT_LE(steps, 12);
  EXPECT_LT(session.real_time_factor(110), 0.02);
  session.apply(1, message(R"({"do": "speed", "factor": 0.5})"));
  session.wait(200);
  EXPECT_NEAR(session.wait(200), 0.02, 1e-9);
}

TEST(LiveSession, pause_stops_time_and_a_single_step_is_one) {
  Session session = session_of({bar_scene("si", kWall)});
  session.apply(1, message(R"({"do": "pause"})"));
  EXPECT_TRUE(std::isinf(session.wait(5)));
  session.apply(1, message(R"({"do": "step"})"));
  EXPECT_EQ(session.time(), 0.01);
  session.apply(1, message(R"({"do": "play"})"));
  EXPECT_NEAR(session.wait(9), 0.01, 1e-9);  // the pause is not made up for
}

TEST(LiveSession, reset_gives_the_bits_of_the_first_frame_and_of_every_one_after_it) {
  Session session = session_of({bar_scene("si", kWall)});
  const LiveRun& run = *session.runs().front();
  const MatrixX3d first = run.stepper().x();
  take_steps(session, 20);
  const MatrixX3d later = run.stepper().x();
  session.apply(1, grab_at(tip_of(run), Vec3(1, 1, 1)));
  take_steps(session, 20);
  session.apply(1, message(R"({"do": "reset"})"));
  EXPECT_EQ(run.stepper().x(), first);
  EXPECT_EQ(session.time(), 0);
  EXPECT_EQ(now(session).injected, 0);
  take_steps(session, 20);
  EXPECT_EQ(run.stepper().x(), later);
}

TEST(LiveSession, goes_back_to_what_was_and_on_from_there) {
  Session session = session_of({bar_scene("ksiere", kWall)});
  const LiveRun& run = *session.runs().front();
  take_steps(session, 50);
  const MatrixX3d there = run.stepper().x();
  const double injected = now(session).injected;
  take_steps(session, 20);
  const MatrixX3d later = run.stepper().x();
  session.apply(1, grab_at(tip_of(run), Vec3(1, 1, 1)));
  take_steps(session, 30);
  session.apply(1, message(R"({"do": "rewind", "seconds": 0.5})"));
  EXPECT_EQ(run.stepper().x(), there);
  EXPECT_NEAR(session.time(), 0.5, 1e-12);
  EXPECT_EQ(now(session).injected, injected);
  take_steps(session, 20);
  EXPECT_LT((run.stepper().x() - later).cwiseAbs().maxCoeff(), 1e-12);  // the clock may round otherwise
  session.apply(1, message(R"({"do": "rewind", "seconds": 1000})"));
  EXPECT_EQ(session.time(), 0);
}

TEST(LiveSession, a_changed_value_is_in_the_scene_and_the_body_goes_on) {
  Session session = session_of({bar_scene("si", kWall)});
  const LiveRun& run = *session.runs().front();
  take_steps(session, 10);
  const MatrixX3d x = run.stepper().x(), u = run.stepper().u();
  const double energy = now(session).total() - now(session).injected + now(session).dissipated;
  session.apply(1, set_of(session, "materials[0].E", "4e5"));
  EXPECT_EQ(run.stepper().x(), x);
  EXPECT_EQ(run.stepper().u(), u);
  EXPECT_NEAR(session.time(), 0.1, 1e-12);
  // Twice the stiffness has twice the elastic energy; who turned the knob has paid for that.
  EXPECT_NEAR(now(session).total() - now(session).injected + now(session).dissipated, energy, 1e-9);
  EXPECT_GT(now(session).injected, 0);
  const Json saved = Json::parse(run.scene_text());
  EXPECT_EQ(saved["materials"][0]["E"].get<double>(), 4e5);
  EXPECT_FALSE(saved.contains("loads")) << "the hand is no part of the scene";
  take_steps(session, 10);
  EXPECT_NEAR(session.time(), 0.2, 1e-12);
}

TEST(LiveSession, offers_what_the_tables_describe) {
  Session session = session_of({bar_scene("si", kWall)});
  std::set<std::string> paths;
  for (const Parameter& p : session.parameters(0)) {
    paths.insert(p.path);
    if (p.value.is_number()) {
      EXPECT_LT(p.least, p.most) << p.path;
      EXPECT_LE(p.least, p.value.get<double>()) << p.path;
      EXPECT_GE(p.most, p.value.get<double>()) << p.path;
    }
  }
  for (const char* path : {"integrator.name", "integrator.h", "integrator.engine", "materials[0].E", "materials[0].nu", "materials[0].rho",
                           "gravity", "damping.alpha", "damping.beta"})
    EXPECT_TRUE(paths.contains(path)) << path;
  session.apply(1, set_of(session, "gravity", "1.62"));
  EXPECT_NEAR(session.runs()[0]->scene().gravity[1], -1.62, 1e-12);
}

TEST(LiveSession, every_parameter_of_every_method_can_be_set_to_what_it_is) {
  for (const IntegratorEntry& method : integrators()) {
    const Scene scene = parse_scene(bar_scene(method.name, kWall), "scene.json", scene_tables());
    for (const Parameter& p : parameters_of(scene)) {
      const Scene same = parse_scene(scene.text, "scene.json", scene_tables(), {override_text(scene, p, p.value)});
      EXPECT_EQ(same.integrator.name, method.name) << p.path;
      EXPECT_EQ(same.h, scene.h) << p.path;
    }
  }
}

TEST(LiveSession, another_method_takes_over_in_one_run_alone) {
  Session session({{bar_scene("si", kWall), "scene.json", "si"}, {bar_scene("glim", kWall), "scene.json", "glim"}});
  take_steps(session, 5);
  session.apply(1, set_of(session, "integrator.name", "\"bdf2\"", 1));
  EXPECT_EQ(session.runs()[0]->scene().integrator.name, "si");
  EXPECT_EQ(session.runs()[1]->scene().integrator.name, "bdf2");
  EXPECT_EQ(session.runs()[1]->label(), "bdf2");
  session.apply(1, set_of(session, "integrator.h", "0.005"));
  for (const auto& run : session.runs()) EXPECT_EQ(run->simulation().h, 0.005);
  take_steps(session, 5);
  for (const auto& run : session.runs()) EXPECT_NEAR(run->time(), 0.075, 1e-12);
  session.apply(1, set_of(session, "integrator.engine", "\"reuse\""));
  EXPECT_EQ(session.runs()[0]->scene().engine, "reuse");
  EXPECT_EQ(session.runs()[1]->scene().engine, "direct");
  take_steps(session, 5);
}

TEST(LiveSession, what_is_refused_changes_nothing) {
  Session session = session_of({bar_scene("si", kWall), bar_scene("ksiere", kWall)});
  take_steps(session, 5);
  const std::string before[] = {session.runs()[0]->scene_text(), session.runs()[1]->scene_text()};
  const MatrixX3d x = session.runs()[0]->stepper().x();
  EXPECT_THROW(session.apply(1, set_of(session, "materials[0].nu", "0.7")), Error);
  EXPECT_THROW(session.apply(1, set_of(session, "integrator.h", "-1")), Error);
  EXPECT_THROW(session.apply(1, set_of(session, "integrator.h", "\"fast\"")), Error);
  EXPECT_THROW(session.apply(1, set_of(session, "integrator.name", "\"nonsense\"")), Error);
  EXPECT_THROW(session.apply(1, grab_at(1000000, Vec3::Zero())), Error);
  EXPECT_THROW(session.apply(1, grab_at(0, Vec3::Zero(), 7)), Error);
  EXPECT_THROW(session.apply(1, message(R"({"do": "unpin", "run": 0, "index": 3})")), Error);
  for (int r : {0, 1}) EXPECT_EQ(session.runs()[r]->scene_text(), before[r]);
  EXPECT_EQ(session.runs()[0]->stepper().x(), x);
}

TEST(LiveSession, a_pin_holds_what_would_fall_and_is_in_the_saved_scene) {
  Session session = session_of({bar_scene("si")});
  const LiveRun& run = *session.runs().front();
  const int tip = tip_of(run);
  take_steps(session, 20);
  const Vec3 there = place_of(run, tip);
  session.apply(1, message(fmt::format(R"({{"do": "pin", "run": 0, "vertices": [{}], "weights": [1]}})", tip)));
  ASSERT_EQ(run.pins().size(), 1u);
  take_steps(session, 300);
  EXPECT_LT((place_of(run, tip) - there).norm(), 0.05);
  EXPECT_EQ(Json::parse(run.scene_text())["attachments"].size(), 1u);
  const double height = place_of(run, tip)[1];
  session.apply(1, message(R"({"do": "unpin", "run": 0, "index": 0})"));
  EXPECT_TRUE(run.pins().empty());
  EXPECT_FALSE(Json::parse(run.scene_text()).contains("attachments"));
  take_steps(session, 50);
  EXPECT_LT(place_of(run, tip)[1], height - 0.5);
}

TEST(LiveSession, a_stroke_cuts_the_body_and_is_in_the_saved_scene) {
  Session session = session_of({bar_scene("si", kWall)});
  const LiveRun& run = *session.runs().front();
  take_steps(session, 10);
  const int vertices = run.simulation().vertices(), topology = run.topology();
  session.apply(1,
                message(R"({"do": "cut", "from": [0.21, -0.5, 0.05], "to": [0.21, 0.5, 0.05], "eye": [0.21, 0, 3]})"));
  take_steps(session, 2);
  EXPECT_GT(run.simulation().vertices(), vertices);
  EXPECT_GT(run.topology(), topology);
  EXPECT_EQ(run.simulation().system->free_pieces().size(), 1u) << "the end has come off";
  EXPECT_EQ(Json::parse(run.scene_text())["cuts"].size(), 1u);
  const int tip = tip_of(run);
  const double height = place_of(run, tip)[1];
  take_steps(session, 50);
  EXPECT_LT(place_of(run, tip)[1], height - 0.5) << "and falls";
  session.apply(1, message(R"({"do": "reset"})"));
  EXPECT_EQ(run.simulation().vertices(), vertices);
  Session cloth = session_of(
      {R"({"mesh": {"springs": "cloth", "width": 1, "length": 1, "nx": 5, "ny": 5, "plane": "xy"}, "springs": {"stiffness": 100, "total_mass": 1},
      "integrator": {"name": "si", "h": 0.01}, "steps": 10})"});
  EXPECT_THROW(cloth.apply(1, message(R"({"do": "cut", "from": [0, 0, 0], "to": [1, 0, 0], "eye": [0, 0, 5]})")),
               Error);
}

// Steps that are far too long for an explicit method.
TEST(LiveSession, a_run_that_diverges_stops_says_so_and_can_go_back) {
  Session session = session_of({bar_scene("se", kWall), bar_scene("si", kWall)});
  session.apply(1, set_of(session, "integrator.h", "0.0009"));
  take_steps(session, 200);
  ASSERT_EQ(session.runs()[0]->trouble(), "");
  session.apply(1, set_of(session, "integrator.h", "0.05"));
  take_steps(session, 400);
  const LiveRun& run = *session.runs()[0];
  ASSERT_NE(run.trouble(), "");
  EXPECT_NE(run.trouble().find("energy ran away"), std::string::npos) << run.trouble();
  EXPECT_TRUE(run.stepper().x().allFinite()) << "the last good moment is shown";
  EXPECT_EQ(session.runs()[1]->trouble(), "");
  session.apply(1, set_of(session, "integrator.h", "0.001"));
  session.apply(1, message(R"({"do": "rewind", "seconds": 1})"));
  EXPECT_EQ(run.trouble(), "");
  take_steps(session, 100);
  EXPECT_EQ(run.trouble(), "");
}

TEST(LiveSession, the_saved_scene_is_one_and_the_recording_a_page) {
  Session session = session_of({bar_scene("si", kWall), bar_scene("glim", kWall)});
  take_steps(session, 30);
  const std::filesystem::path page = std::filesystem::path(testing::TempDir()) / "live_recording.html";
  session.write_recording(page);
  std::ifstream in(page);
  const std::string html((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(html.find("\"frames\":["), std::string::npos);
  EXPECT_NO_THROW(session_of({session.runs()[0]->scene_text()}));
}

}  // namespace
}  // namespace brio
