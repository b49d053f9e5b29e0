// brio damping: what it writes and what it refuses.

#include "brio/core/json.hpp"
#include "brio/integrate/integrator.hpp"

#include "apps/program.hpp"
#include <cmath>
#include <set>
#include <sstream>

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::Outcome;

TEST(DampingCommand, every_row_of_the_table_is_measured) {
  const auto folder = fresh_folder("damping");
  const Outcome outcome = brio(fmt::format("damping -o '{}'", folder.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");

  std::istringstream csv(read_text(folder / "damping.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "integrator,h_omega,measured_d_over_omega,closed_form_d_over_omega");
  std::set<std::string> seen;
  while (std::getline(csv, line)) {
    std::istringstream cells(line);
    std::string name, product, measured, closed_form;
    std::getline(cells, name, ',');
    std::getline(cells, product, ',');
    std::getline(cells, measured, ',');
    std::getline(cells, closed_form, ',');
    seen.insert(name);
    ASSERT_NE(measured, "") << line;
    // At hω = 2 two roots of se meet, and a double root is known to the square root of round-off only.
    if (closed_form != "") {
      EXPECT_NEAR(std::stod(measured), std::stod(closed_form), 1e-7) << line;
    }
  }
  const auto json = Json::parse(read_text(folder / "damping.json"));
  EXPECT_EQ(seen.size(), integrators().size());
  EXPECT_EQ(json["curves"].size(), integrators().size());
  for (const IntegratorEntry& row : integrators()) {
    EXPECT_TRUE(seen.contains(row.name)) << row.name;
    EXPECT_NE(outcome.out.find("\n" + row.name + " "), std::string::npos) << row.name;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "damping.html"));
}

TEST(DampingCommand, takes_methods_with_options_and_several_steps) {
  const auto folder = fresh_folder("damping-some");
  const Outcome outcome =
      brio(fmt::format("damping --integrators be,genalpha:r=0.2 --h 0.01,0.002 -o '{}'", folder.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = Json::parse(read_text(folder / "damping.json"));
  EXPECT_EQ(json["h"], Json({0.01, 0.002}));
  ASSERT_EQ(json["curves"].size(), 2u);
  EXPECT_EQ(json["curves"][1]["name"], "genalpha:r=0.2");
}

TEST(DampingCommand, refuses_with_place_and_remedy) {
  const auto complaint = [](const std::string& arguments) {
    const Outcome outcome = brio("damping -o nothing " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  };
  for (const char* h : {"-1", "0", "nan", "inf", "1e-300", "soon", "0.01x"})
    EXPECT_NE(complaint(fmt::format("--h={}", h)).find(fmt::format("--h {}: expected a step between", h)),
              std::string::npos)
        << h;
  EXPECT_NE(complaint("--integrators be,bdf3").find("did you mean \"bdf2\"?"), std::string::npos);
  EXPECT_NE(complaint("--integrators genalpha:r=2").find("genalpha.r"), std::string::npos);
  EXPECT_NE(complaint("--integrators genalpha:q=2").find("\"q\""), std::string::npos);
}

}  // namespace
}  // namespace brio
