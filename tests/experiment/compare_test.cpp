// The comparison as the library runs it.

#include "brio/experiment/compare/compare.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

ComparePlan plan(const std::string& integrators, const std::string& reference = "") {
  return plan_comparison(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables(), {"steps=5", "mesh.cells_across=2"},
                         integrators, reference);
}

TEST(Compare, a_failure_is_the_methods_own) {
  const ComparePlan three = plan("si,be,im");
  CompareListener listener;
  listener.on_step = [](const PlannedRun& run, const StepRecord& record) {
    if (run.label == "be" && record.step == 2) throw std::runtime_error("no more paper");
  };
  int ends = 0;
  listener.on_end = [&](const ComparedRun&, const Comparison& so_far) {
    EXPECT_EQ(so_far.runs.size(), static_cast<size_t>(++ends));
  };
  const Comparison result = compare(three, listener);
  ASSERT_EQ(result.runs.size(), 3u);
  EXPECT_EQ(result.runs[0].summary.status, "finished");
  EXPECT_EQ(result.runs[1].summary.status, "failed");
  EXPECT_EQ(result.runs[1].summary.message, "no more paper");
  EXPECT_EQ(result.runs[1].summary.steps, 2);
  EXPECT_EQ(result.runs[1].recorder.recording().frames().size(), 2u);  // what was there before it failed
  EXPECT_EQ(result.runs[2].summary.status, "finished");
  EXPECT_TRUE(result.any_failed());
}

TEST(Compare, the_same_method_and_step_as_the_reference_has_no_error) {
  const ComparePlan same = plan("im,be", "im@0.01");
  const Comparison result = compare(same, {});
  ASSERT_TRUE(result.has_errors());
  EXPECT_EQ(result.runs[0].metrics.error, 0.0);
  EXPECT_GT(result.runs[1].metrics.error, 1e-4);
  EXPECT_TRUE(result.reference->recorder.recording().frames().empty());
}

TEST(Compare, stopping_leaves_the_rest_out) {
  const ComparePlan three = plan("si,be,im");
  int asked = 0;
  CompareListener listener;
  listener.stop = [&] { return ++asked > 8; };  // in the second run
  const Comparison result = compare(three, listener);
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_EQ(result.runs[1].summary.status, "interrupted");
}

TEST(Compare, skipping_ends_a_run_and_the_others_go_on) {
  const ComparePlan three = plan("si,be,im");
  CompareListener listener;
  int asked = 0;
  listener.skip = [&](const PlannedRun& run) { return run.label == "be" || (run.label == "si" && ++asked == 3); };
  const Comparison result = compare(three, listener);
  EXPECT_FALSE(result.interrupted);
  ASSERT_EQ(result.runs.size(), 2u) << "be was not begun";
  EXPECT_EQ(result.runs[0].summary.status, "interrupted");
  EXPECT_EQ(result.runs[0].summary.steps, 3);
  EXPECT_EQ(result.runs[1].plan->label, "im");
  EXPECT_EQ(result.runs[1].summary.status, "finished");
}

TEST(Compare, more_runs_can_follow_from_what_the_first_ones_showed) {
  const ComparePlan first = plan("si", "im@0.01"), more = plan("be,im");
  CompareListener listener;
  listener.next = [&](const Comparison& so_far) {
    const size_t next = so_far.runs.size() - 1;
    return next < more.runs.size() ? &more.runs[next] : nullptr;
  };
  const Comparison result = compare(first, listener);
  ASSERT_EQ(result.runs.size(), 3u);
  EXPECT_EQ(result.runs[0].plan->label, "si");
  EXPECT_GT(result.runs[1].metrics.error, 1e-4);
  EXPECT_EQ(result.runs[2].metrics.error, 0.0) << "measured against the reference of the first ones";
}

TEST(Compare, a_scenes_refusal_is_not_a_methods_failure) {
  ComparePlan broken = plan("si,be");
  for (PlannedRun& run : broken.runs) run.scene.bodies[0].materials.clear();
  EXPECT_THROW(compare(broken, {}), Error);
  EXPECT_THROW(compare({}, {}), Error);
}

}  // namespace
}  // namespace brio
