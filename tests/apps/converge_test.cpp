// brio converge and brio material: what they print and write, and what they refuse.

#include "apps/program.hpp"

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::kScenes;
using testing::Outcome;

TEST(ConvergeCommand, draws_every_solver) {
  const auto folder = fresh_folder("converge");
  const Outcome outcome =
      brio(fmt::format("converge {}bar-1k.json --frame 2 --iterations 15 -o '{}'", kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* solver : {"newton", "minimize", "newton-cg", "quasi-newton", "projective", "chebyshev", "lbfgs",
                             "rest-hessian", "frame-hessian", "window 2", "converge.html"})
    EXPECT_NE(outcome.out.find(solver), std::string::npos) << solver << " in " << outcome.out;
  EXPECT_NE(read_text(folder / "converge.csv").find("Error against iterations,quasi-newton,15,"), std::string::npos);
  EXPECT_NE(read_text(folder / "converge.html").find("Error against time"), std::string::npos);
}

TEST(ConvergeCommand, refuses_unknown_solvers) {
  const Outcome outcome = brio(fmt::format("converge {}bar-1k.json --solvers quasi-neuton", kScenes));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean \"quasi-newton\""), std::string::npos) << outcome.err;
}

TEST(MaterialCommand, draws_stress_and_energy) {
  const auto folder = fresh_folder("material");
  const Outcome outcome = brio(fmt::format("material {}fiber-bar.json -o '{}'", kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("stable-neo-hookean + fiber-quadratic: reference modulus"), std::string::npos)
      << outcome.out;
  for (const char* chart : {"Stress, sides held", "Energy, sides free", "Stress, all sides stretched alike"})
    EXPECT_NE(read_text(folder / "material.csv").find(chart), std::string::npos) << chart;
}

TEST(MaterialCommand, has_nothing_to_draw_for_springs) {
  const Outcome outcome = brio(fmt::format("material {}cloth-wind.json", kScenes));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("spring nets and bones have no materials"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace brio
