// The hand of a live session: what it does is in the books to rounding, it cannot blow a body up, and every kind of body
// can be taken.

#include "brio/core/text_file.hpp"
#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

#include "live_sessions.hpp"

namespace brio {
namespace {

class LiveHand : public testing::TestWithParam<std::string> {};

// Whatever the method makes of its force, the hand gives the body no more than it takes from the one who pulls; and
// within a step the force is never larger than the spring's most.
TEST_P(LiveHand, gives_no_more_than_it_takes) {
  Session session = session_of({bar_scene(GetParam(), kWeightless)});
  const LiveRun& run = *session.runs().front();
  const Vec3 from = place_of(run, tip_of(run));
  session.apply(1, grab_at(tip_of(run), from));
  double most = 0;
  const int steps = static_cast<int>(1 / step_for(GetParam()));
  for (int i = 0; i < steps; ++i) {
    const double t = i * step_for(GetParam());
    session.apply(1, move_to(from + 0.2 * Vec3(std::sin(30 * t), std::sin(20 * t), std::cos(10 * t) - 1)));
    session.step();
    most = std::max(most, run.hand().holds().front().force.norm());
  }
  ASSERT_EQ(run.trouble(), "");
  ASSERT_GT(now(session).injected, 0.1) << "the hand does nothing";
  EXPECT_LE(now(session).total(), 1.05 * now(session).injected);
  EXPECT_LE(most, 1.5 * run.hand().holds().front().spring.most);
}

TEST_P(LiveHand, brings_the_point_to_where_it_points_and_then_stays_calm) {
  Session session = session_of({bar_scene(GetParam(), kWeightless)});
  const LiveRun& run = *session.runs().front();
  const int tip = tip_of(run);
  const Vec3 from = place_of(run, tip), target = from + Vec3(0.3, 0.1, 0.2);
  session.apply(1, grab_at(tip, target));
  take_steps(session, static_cast<int>(4 / step_for(GetParam())));
  EXPECT_LT((place_of(run, tip) - target).norm(), 0.2 * (target - from).norm());
  // The spring had that much to give; what is left goes on turning about the point that is held.
  const double given = 0.5 * run.hand().holds().front().spring.stiffness * (target - from).squaredNorm();
  EXPECT_LT(now(session).total(), 0.1 * given);
}

INSTANTIATE_TEST_SUITE_P(methods, LiveHand, testing::Values("si", "be", "glim", "siere", "ksiere", "se"),
                         [](const auto& info) { return info.param; });

// With short steps of the implicit midpoint the energy of the body is the work of the hand, to a part in a hundred.
TEST(LiveSession, the_work_of_a_hand_is_the_energy_of_the_body) {
  Session session = session_of({bar_scene("im", kWeightless)});
  session.apply(1, set_of(session, "integrator.h", "0.001"));
  const LiveRun& run = *session.runs().front();
  const Vec3 from = place_of(run, tip_of(run));
  session.apply(1, grab_at(tip_of(run), from + Vec3(0.05, 0.1, 0)));
  take_steps(session, 100);
  session.apply(1, move_to(from + Vec3(-0.1, 0.1, 0)));
  take_steps(session, 100);
  ASSERT_GT(now(session).injected, 0.1);
  EXPECT_NEAR(now(session).total() / now(session).injected, 1, 0.01);
  // Of the hand there is nothing left in the energy after it has let go.
  session.apply(1, message(R"({"do": "release"})"));
  take_steps(session, 2);
  EXPECT_TRUE(run.hand().holds().empty());
  EXPECT_NEAR(now(session).total() / now(session).injected, 1, 0.01);
}

// Its impulse is the momentum that it gives, step by step; linearly implicit Euler takes the force at the end.
TEST(LiveSession, the_force_that_is_shown_is_the_one_that_acts) {
  Session session = session_of({bar_scene("si", kWeightless)});
  const LiveRun& run = *session.runs().front();
  session.apply(1, grab_at(tip_of(run), place_of(run, tip_of(run)) + Vec3(0.2, 0.3, 0)));
  Vec3 impulse = Vec3::Zero();
  for (int i = 0; i < 20; ++i) {
    session.step();
    impulse += 0.01 * run.hand().holds().front().force;
  }
  ASSERT_GT(impulse.norm(), 0.1);
  EXPECT_LT((now(session).momentum.linear - impulse).norm(), 0.05 * impulse.norm());
}

// A stiff spring with an explicit force would fling the few grams at the corner away in a few steps.
TEST(LiveSession, a_wild_hand_does_not_blow_the_body_up) {
  for (const double scale : {0.0025, 1.0, 250.0}) {  // a millimeter, half a meter, a hundred meters
    Session session = session_of({bar_scene("si", kWeightless, scale)});
    const LiveRun& run = *session.runs().front();
    const int tip = tip_of(run);
    const Vec3 home = place_of(run, tip);
    session.apply(1, grab_at(tip, home));
    for (int i = 0; i < 300; ++i) {
      const double away = i % 40 < 20 ? 5 : -5;
      session.apply(1, move_to(home + away * scale * Vec3(0.3, 1, i % 7 < 3 ? 1 : -1)));
      session.step();
      ASSERT_EQ(run.trouble(), "") << "scale " << scale << ", step " << i;
    }
    const MatrixX3d x = run.stepper().x();
    const double extent = (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
    EXPECT_LT(extent, 10 * 0.42 * scale) << "scale " << scale;
  }
}

TEST(LiveSession, release_lets_go) {
  Session session = session_of({bar_scene("si", kWeightless)});
  const LiveRun& run = *session.runs().front();
  session.apply(1, grab_at(tip_of(run), Vec3(1, 1, 1)));
  take_steps(session, 10);
  session.apply(1, message(R"({"do": "release"})"));
  take_steps(session, 1);  // in which the force ends
  EXPECT_TRUE(run.hand().holds().empty());
  const Vec3 momentum = now(session).momentum.linear;
  const double injected = now(session).injected;
  take_steps(session, 50);
  EXPECT_LT((now(session).momentum.linear - momentum).norm(), 1e-9 * momentum.norm());
  EXPECT_EQ(now(session).injected, injected);
}

TEST(LiveSession, each_client_has_a_hand_of_its_own_and_takes_it_along) {
  Session session = session_of({bar_scene("si", kWeightless)});
  const LiveRun& run = *session.runs().front();
  session.apply(1, grab_at(tip_of(run), Vec3(1, 1, 1)));
  session.apply(2, grab_at(0, Vec3(-1, 0, 0)));
  ASSERT_EQ(run.hand().holds().size(), 2u);
  session.apply(2, move_to(Vec3(-2, 0, 0)));
  EXPECT_EQ(run.hand().holds()[0].target, Vec3(1, 1, 1));
  take_steps(session, 1);
  session.leave(1);
  take_steps(session, 1);
  ASSERT_EQ(run.hand().holds().size(), 1u);
  EXPECT_EQ(run.hand().holds()[0].owner, 2);
  take_steps(session, 3);
  EXPECT_EQ(run.trouble(), "");
}

// A hand that has let go before the next step, and the energy that waits for hands, leave no trace in the motion.
TEST(LiveSession, a_hand_that_does_nothing_leaves_the_motion_of_a_plain_run) {
  const std::string nodes = R"(, "condensation": {"nodes": {"choose": "farthest", "count": 6}})";
  for (const std::string& text : {bar_scene("si", kWall), bar_scene("bdf2", kWall), bar_scene("ksiere", kWall),
                                  bar_scene("glim"), bar_scene("stabilized", kWall), bar_scene("si", kWall + nodes)}) {
    Session touched = session_of({text});
    take_steps(touched, 5);
    touched.apply(1, grab_at(tip_of(*touched.runs().front()), Vec3(0, 1, 0)));
    touched.apply(1, message(R"({"do": "release"})"));
    take_steps(touched, 5);
    Simulation plain = build_simulation(parse_scene(text, "scene.json", scene_tables()));
    plain.steps = 10;
    MatrixX3d x;
    RunListener listener;
    listener.on_frame = [&](const RunFrame& frame) { x = frame.x; };
    run(plain, listener);
    EXPECT_EQ(touched.runs()[0]->stepper().x(), x) << text;
  }
}

TEST(LiveSession, a_poke_gives_an_impulse_along_its_direction_and_is_over) {
  Session session = session_of({bar_scene("si", kWeightless)});
  session.apply(1, message(R"({"do": "poke", "run": 0, "vertices": [0], "weights": [1], "direction": [0, 0, 2]})"));
  take_steps(session, 20);
  const Vec3 first = now(session).momentum.linear;
  EXPECT_GT(first[2], 0.1);
  EXPECT_LT(std::hypot(first[0], first[1]), 0.6 * first[2]);  // the point gives way to the side as the body turns
  EXPECT_GT(now(session).injected, 0);
  take_steps(session, 10);
  EXPECT_LT((now(session).momentum.linear - first).norm(), 1e-9 * first.norm());
}

TEST(LiveSession, two_methods_feel_the_same_hand) {
  Session session = session_of({bar_scene("si", kWeightless), bar_scene("glim", kWeightless)});
  session.apply(1, grab_at(tip_of(*session.runs()[0]), Vec3(0.5, 0.4, 0.3)));
  session.step();
  for (const auto& run : session.runs()) {
    ASSERT_EQ(run->hand().holds().size(), 1u);
    EXPECT_EQ(run->hand().holds()[0].target, Vec3(0.5, 0.4, 0.3));
    EXPECT_GT(now(session, run == session.runs()[0] ? 0 : 1).injected, 0);
  }
}

TEST(LiveSession, bones_and_ropes_can_be_taken_too) {
  for (const char* name : {"bone-chain", "rope", "cloth-wind", "stacked-cubes"}) {
    const std::filesystem::path file =
        std::filesystem::path(BRIO_SOURCE_DIR) / "scenes" / (std::string(name) + ".json");
    Session session({{read_text(file), file, name}});
    const LiveRun& run = *session.runs().front();
    const int tip = tip_of(run);
    const Vec3 from = place_of(run, tip);
    session.apply(1, grab_at(tip, from + Vec3(0.01, 0.05, 0)));
    take_steps(session, 30);
    EXPECT_EQ(run.trouble(), "") << name;
    ASSERT_FALSE(run.hand().holds().empty()) << name;
    EXPECT_GT(run.hand().holds().front().force.norm(), 0) << name;
    EXPECT_NE(now(session).injected, 0) << name;
    EXPECT_NO_THROW(
        session.apply(1, message(fmt::format(R"({{"do": "pin", "run": 0, "vertices": [{}], "weights": [1]}})", tip))))
        << name;
    take_steps(session, 3);
    EXPECT_EQ(run.trouble(), "") << name;
  }
}

TEST(LiveSession, a_point_of_the_wall_cannot_be_taken) {
  Session session = session_of({bar_scene("si", kWall)});
  const LiveRun& run = *session.runs().front();
  Index held = 0;
  run.drawn().rows(run.stepper().x()).col(0).minCoeff(&held);
  EXPECT_THROW(session.apply(1, grab_at(static_cast<int>(held), Vec3::Zero())), Error);
}

}  // namespace
}  // namespace brio
