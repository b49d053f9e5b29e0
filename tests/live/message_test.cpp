// What a browser may say: every well-formed message is understood, and no other text changes anything or crashes.

#include "brio/core/error.hpp"
#include "brio/live/session.hpp"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

const std::vector<std::string> kGood = {
    R"({"do": "grab", "run": 0, "vertices": [1, 2, 3], "weights": [0.2, 0.3, 0.5], "target": [1, 2, 3]})",
    R"({"do": "move", "target": [1, 2, 3e-3]})",
    R"({"do": "release"})",
    R"({"do": "poke", "run": 1, "vertices": [4], "weights": [1], "direction": [0, -1, 0]})",
    R"({"do": "pin", "run": 0, "vertices": [4, 5], "weights": [1, 1]})",
    R"({"do": "unpin", "run": 0, "index": 2})",
    R"({"do": "cut", "from": [0, 0, 0], "to": [1, 0, 0], "eye": [0, 0, 5]})",
    R"({"do": "play"})",
    R"({"do": "pause"})",
    R"({"do": "step"})",
    R"({"do": "reset"})",
    R"({"do": "rewind", "seconds": 1.5})",
    R"({"do": "speed", "factor": 0.25})",
    R"({"do": "strength", "factor": 10})",
    R"({"do": "set", "run": 0, "index": 3, "value": 1e5})",
    R"({"do": "set", "run": 0, "index": 0, "value": "si"})",
    R"({"do": "choose", "index": 4})",
};

TEST(LiveMessage, every_action_is_understood) {
  for (const std::string& text : kGood) EXPECT_NO_THROW(parse_message(text)) << text;
  const Message grab = parse_message(kGood[0]);
  EXPECT_EQ(grab.action, Message::Action::grab);
  EXPECT_EQ(grab.pick.vertices, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(grab.vector, Vec3(1, 2, 3));
  EXPECT_EQ(parse_message(kGood[14]).value.get<double>(), 1e5);
}

TEST(LiveMessage, what_is_out_of_bounds_is_refused) {
  for (const char* text :
       {"",
        "null",
        "[]",
        "42",
        "{}",
        R"({"do": 3})",
        R"({"do": "format the disk"})",
        R"({"do": "move"})",
        R"({"do": "move", "target": [1, 2]})",
        R"({"do": "move", "target": [1, 2, "3"]})",
        R"({"do": "move", "target": [1, 2, 1e300]})",
        R"({"do": "move", "target": [1, 2, 1e999]})",
        R"({"do": "grab", "run": -1, "vertices": [1], "weights": [1], "target": [1, 2, 3]})",
        R"({"do": "grab", "run": 0, "vertices": [1.5], "weights": [1], "target": [1, 2, 3]})",
        R"({"do": "grab", "run": 0, "vertices": [1, 2], "weights": [1], "target": [1, 2, 3]})",
        R"({"do": "grab", "run": 0, "vertices": [1, 2, 3, 4], "weights": [1, 1, 1, 1], "target": [1, 2, 3]})",
        R"({"do": "grab", "run": 0, "vertices": [], "weights": [], "target": [1, 2, 3]})",
        R"({"do": "grab", "run": 0, "vertices": [1], "weights": [0], "target": [1, 2, 3]})",
        R"({"do": "poke", "run": 0, "vertices": [1], "weights": [1], "direction": [0, 0, 0]})",
        R"({"do": "rewind", "seconds": -1})",
        R"({"do": "speed", "factor": 0})",
        R"({"do": "set", "run": 0, "index": 1, "value": {"a": 1}})",
        R"({"do": "set", "run": 0, "index": 1, "value": null})",
        R"({"do": "set", "run": 0, "index": 99999999999, "value": 1})"})
    EXPECT_THROW(parse_message(text), Error) << text;
  EXPECT_THROW(parse_message(R"({"do": "release", "x": ")" + std::string(kLongestMessage, 'x') + "\"}"), Error);
  EXPECT_THROW(parse_message(std::string(2000, '[')), Error);
}

std::string small_scene() {
  return R"({"name": "Cube", "mesh": {"generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1]},
    "materials": [{"region": "all", "law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "integrator": {"name": "si", "h": 0.01}, "steps": 10})";
}

/// A good message with bytes changed, doubled, left out or put in.
std::string mutated(std::string text, std::mt19937& random) {
  const auto upto = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n)(random); };
  for (size_t changes = upto(6); changes > 0 && !text.empty(); --changes) {
    const size_t at = upto(text.size() - 1);
    switch (upto(4)) {
      case 0:
        text[at] = static_cast<char>(upto(255));
        break;
      case 1:
        text.erase(at, upto(8));
        break;
      case 2:
        text.insert(at, text.substr(upto(text.size() - 1), upto(12)));
        break;
      case 3:
        text[at] = "0123456789-e.\"{}[],:"[upto(19)];
        break;
      default:
        text.insert(at, std::string(upto(40), "{[\"9"[upto(3)]));
        break;
    }
  }
  return text;
}

/// All that must stay as it is when a message is refused.
std::string trace(const Session& session) {
  const LiveRun& run = *session.runs().front();
  std::string text = run.scene_text() + fmt::format("{} {} {} {}", session.playing(), session.speed(),
                                                    session.strength(), run.hand().holds().size());
  const MatrixX3d& x = run.stepper().x();
  return text.append(reinterpret_cast<const char*>(x.data()), static_cast<size_t>(x.size()) * sizeof(double));
}

TEST(LiveMessage, ten_thousand_random_messages_change_nothing_or_what_they_may) {
  Session session({{small_scene(), "scene.json", "si"}});
  std::mt19937 random(1);
  std::string before = trace(session);
  int refused = 0, taken = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = kGood[random() % kGood.size()];
    if (i % 4 == 0)
      for (char& c : text) c = static_cast<char>(random() % 256);
    else
      text = mutated(text, random);
    try {
      session.apply(1, parse_message(text));
      ++taken;
      before = trace(session);
    } catch (const Error&) {
      ++refused;
      ASSERT_EQ(trace(session), before) << text;
    }
  }
  EXPECT_GT(refused, 5000);
  EXPECT_GT(taken, 100) << "the mutations are too wild to test anything";
  session.apply(1, parse_message(R"({"do": "reset"})"));
  for (int i = 0; i < 5; ++i) session.step();
  EXPECT_EQ(session.runs()[0]->trouble(), "");
}

}  // namespace
}  // namespace brio
