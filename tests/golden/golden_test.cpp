// Golden results: what every scene of scenes/ does in its first steps, compared with what it did when
// tests/golden/table was recorded. A change of the code that is not meant to change results changes no bit here; one
// that is meant to is `make golden` and a diff to read.
//
// BRIO_GOLDEN in the environment is "record" to write the table, "exact" or "tolerance" to choose the comparison. By
// itself the test compares bits on the machine and build that recorded a scene, and with a tolerance on others.

#include <gtest/gtest.h>

#include "machine.hpp"
#include "run.hpp"
#include "table.hpp"
#include <fstream>
#include <set>

namespace brio::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kTable = BRIO_SOURCE_DIR "/tests/golden/table";
constexpr const char* kHowToRecord =
    "If results are meant to change, `make golden` records all scenes anew; read the diff of tests/golden/table";

std::set<std::string> stems(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) names.insert(entry.path().stem().string());
  return names;
}

std::string golden_mode() {
  const char* value = std::getenv("BRIO_GOLDEN");
  return value ? value : "";
}

/// A variable of the environment that programs started meanwhile see.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~ScopedVariable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

/// The scene with steps longer by a part in 10¹² and as much of gravity's strength added along all axes: it reaches
/// every scene, and breaks symmetries that would hide what rounding does.
GoldenResult run_pushed(const std::string& scene) {
  const nlohmann::json json = read_scene(scene);
  const double h = json.at("integrator").at("h");
  std::array<double, 3> g = {0, -9.81, 0};
  if (json.contains("gravity")) g = json["gravity"].get<std::array<double, 3>>();
  return run_golden(scene, fmt::format("--set integrator.h={:.17g} --set gravity=[{:.17g}]", h * (1 + 1e-12),
                                       fmt::join({g[0] + 1e-11, g[1] + 1e-11, g[2] + 1e-11}, ",")));
}

/// The scene with the kernels of an old processor in OpenBLAS and libm: the rounding of another machine, as far as it
/// can be had on this one.
GoldenResult run_with_old_kernels(const std::string& scene) {
  const ScopedVariable blas("OPENBLAS_CORETYPE", "Nehalem");
  const ScopedVariable libm("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4");
  return run_golden(scene);
}

/// The scene with a method that iterates ten times closer to its solution. Another rounding may cost an iteration more
/// or less, and that changes results by what the iterations leave undone, not by what rounding does.
GoldenResult run_closer(const std::string& scene, const nlohmann::json& integrator) {
  const double usual = integrator.at("name") == "ere" ? 1e-7 : 1e-6;
  return run_golden(scene, fmt::format("--set integrator.tolerance={:g}", 0.1 * integrator.value("tolerance", usual)));
}

std::vector<Disturbed> run_disturbed(const std::string& scene) {
  std::vector<Disturbed> runs = {{run_pushed(scene)}, {run_with_old_kernels(scene)}};
  const nlohmann::json integrator = read_scene(scene).at("integrator");
  const std::set<std::string> iterate = {"be", "im", "bdf2", "newmark", "genalpha", "stabilized", "ere"};
  // No rounding changes more than what is undone, and so twice that is enough.
  if (iterate.contains(integrator.at("name"))) runs.push_back({run_closer(scene, integrator), 2 / kLargeMargin});
  return runs;
}

void record(const std::string& scene, const GoldenResult& result) {
  const std::vector<Disturbed> disturbed = run_disturbed(scene);
  for (const Disturbed& run : disturbed) ASSERT_EQ(run.result.problem, "");
  const std::string text = to_text(golden_of(machine_key(BRIO_GOLDEN_BUILD, BRIO_PROGRAM), result, disturbed));
  std::ofstream(kTable / (scene + ".csv"), std::ios::binary) << text;
  ASSERT_EQ(to_text(golden_from(read_text(kTable / (scene + ".csv")))), text) << "what is written cannot be read";
}

/// Whether the scene fills a shape, and with another compiler than when it was recorded. The mesher moves vertices to
/// the better of several places; where two are as good as each other, rounding chooses, and a body of two thousand
/// vertices has one or two elsewhere.
bool is_filled_otherwise(const std::string& scene, const std::string& recorded_on, const std::string& machine) {
  const auto compiler = [](const std::string& key) { return key.substr(0, key.find(' ')); };
  return compiler(recorded_on) != compiler(machine) &&
         read_scene(scene).dump().find(R"("generate":"named")") != std::string::npos;
}

class GoldenScene : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenScene, does_what_it_did) {
  const std::string scene = GetParam(), mode = golden_mode();
  if (*BRIO_GOLDEN_SANITIZE) GTEST_SKIP() << "sanitizers make this an hour; other tests run scenes under them";
  const fs::path file = kTable / (scene + ".csv");
  if (mode != "record") {
    ASSERT_TRUE(fs::exists(file)) << "scenes/" << scene
                                  << ".json has no golden results: `make golden` records them, and "
                                  << "they are committed as tests/golden/table/" << scene << ".csv. Has the scene been "
                                  << "renamed, its file there wants the new name";
  }
  const GoldenResult result = run_golden(scene);
  ASSERT_EQ(result.problem, "");
  if (mode == "record") return record(scene, result);

  const Golden golden = golden_from(read_text(file));
  const std::string machine = machine_key(BRIO_GOLDEN_BUILD, BRIO_PROGRAM);
  if (mode.empty() && is_filled_otherwise(scene, golden.machine, machine))
    GTEST_SKIP() << "recorded with another compiler, which fills shapes with other tetrahedra here and there";
  const std::string far = far_differences(golden, result);
  if (mode == "exact" || (mode != "tolerance" && golden.machine == machine)) {
    EXPECT_EQ(exact_differences(golden, result), "")
        << (far.empty() ? "Within" : "Not even within") << " the tolerance for other machines. " << kHowToRecord;
  } else {
    EXPECT_EQ(far, "") << "recorded on: " << golden.machine << "\nthis machine: " << machine << "\n" << kHowToRecord;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenScene, ::testing::ValuesIn(stems(kScenes)), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(GoldenTable, has_no_results_of_scenes_that_are_gone) {
  const std::set<std::string> scenes = stems(kScenes);
  for (const std::string& name : stems(kTable)) {
    EXPECT_TRUE(scenes.contains(name)) << "remove or rename tests/golden/table/" << name << ".csv";
  }
  for (const GoldenRule& rule : kGoldenRules) EXPECT_TRUE(scenes.contains(rule.scene)) << rule.scene << " in run.hpp";
}

// Both comparisons can fail: the exact one sees a stiffness off by a part in 10⁹, the other one by a percent.
TEST(GoldenTable, sees_small_changes) {
  if (golden_mode() == "record") GTEST_SKIP() << "recording";
  const GoldenResult result = run_golden("bar-1k");
  ASSERT_EQ(result.problem, "");
  const Golden golden = golden_of("here", result, run_disturbed("bar-1k"));
  EXPECT_EQ(exact_differences(golden, result), "");
  EXPECT_EQ(far_differences(golden, result), "");

  const GoldenResult near = run_golden("bar-1k", "--set materials[0].E=500000.0005");
  EXPECT_NE(exact_differences(golden, near), "");
  const GoldenResult far = run_golden("bar-1k", "--set materials[0].E=505000");
  EXPECT_NE(far_differences(golden, far), "");

  GoldenResult moved = result;  // by the last bit of one coordinate
  moved.positions.back() = std::nextafter(moved.positions.back(), 1e9);
  EXPECT_NE(exact_differences(golden, moved), "");
  EXPECT_EQ(far_differences(golden, moved), "");
}

}  // namespace
}  // namespace brio::testing
