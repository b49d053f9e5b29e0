// A method with counters of its own: it declares them, and summary.json has them, with no change to any other file.

#include "brio/output/scene_tables.hpp"
#include "brio/output/summary.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace brio {
namespace {

constexpr Extra kGlances{"glances", "how often it looked at the clock", ""};
constexpr Extra kWorst{"worst_glance", "the longest of them", "s", Extra::Over::largest, Extra::Value::number};
constexpr Extra kMean{"mean_glance", "mean length", "s", Extra::Over::mean, Extra::Value::number};
constexpr Extra kNaps{"naps", "steps in which it slept", "", Extra::Over::sum, Extra::Value::count,
                      {},     {"asleep", 0.5, "coffee"}};
constexpr Extra kMood{"mood", "how it went", "", Extra::Over::last, Extra::Value::choice, {"calm", "hasty"}};

/// Lets everything fly on, and counts.
class Drifting : public Integrator {
 public:
  void prepare(const System&) override {}
  StepReport step(State& state, double h) override {
    StepReport report;
    state.q += h * state.v;
    state.t += h;
    ++steps_;
    report.extras.add(kGlances, 2);
    report.extras.set(kWorst, steps_ == 3 ? 7.5 : 1);
    report.extras.set(kMean, steps_);
    report.extras.set(kMood, steps_ % 2);
    report.extras.set(kNaps, steps_ > 1 ? 1 : 0);
    return report;
  }

 private:
  int steps_ = 0;
};

TEST(OwnCounter, is_in_the_summary_as_it_was_declared) {
  const Scene scene = load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables(), {"steps=5"});
  Simulation simulation = build_simulation(scene);
  simulation.integrator = std::make_unique<Drifting>();
  simulation.integrator->prepare(*simulation.system);
  const RunResult result = run(simulation, {});
  ASSERT_EQ(result.steps, 5) << result.message;
  const auto json = to_json(summarize(simulation, result));
  EXPECT_EQ(json.at("glances"), 10);
  EXPECT_EQ(json.at("worst_glance"), 7.5);
  EXPECT_EQ(json.at("mean_glance"), 3);
  EXPECT_EQ(json.at("mood"), "hasty");
  EXPECT_EQ(json.at("status"), "doubtful");
  EXPECT_EQ(json.at("message"), "80 % of the steps asleep. Try coffee");
  EXPECT_EQ(json.at("remarks"), "80 % of the steps asleep");
  EXPECT_EQ(json.at("shares").at("naps"), 0.8);
  EXPECT_EQ(json.at("matvecs"), 0) << "what other methods declare is there as well";
  EXPECT_EQ(json.at("exponential_method"), "");
}

TEST(OwnCounter, no_two_methods_mean_different_things_by_one_name) {
  for (const IntegratorEntry& row : integrators())
    for (const Extra& extra : row.extras) {
      EXPECT_FALSE(extra.meaning.empty()) << extra.name;
      for (const WorkCounter& counter : work_counters()) EXPECT_NE(extra.name, counter.name);
      for (const Extra& other : declared_extras())
        if (other.name == extra.name) {
          EXPECT_TRUE(other.over == extra.over && other.value == extra.value) << extra.name;
        }
    }
}

}  // namespace
}  // namespace brio
