// Plug-ins that cannot be used are refused with a reason. tests/extending has one that can.

#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace brio {
namespace {

using namespace testing;

std::string refused_plugin(const std::string& file) {
  const Outcome outcome = brio(fmt::format("list integrators --plugin '{}'", file));
  EXPECT_EQ(outcome.code, 2) << file;
  EXPECT_EQ(outcome.out, "") << file;
  return outcome.err;
}

std::string broken_plugin(int which) { return fmt::format("{}/libbroken_plugin_{}.so", BRIO_PLUGINS, which); }

TEST(Plugin, that_cannot_be_loaded) {
  EXPECT_EQ(refused_plugin("missing.so"), "brio: plug-in missing.so: no such file\n");
  const std::string scene = kScenes + "bar-1k.json", text = refused_plugin(scene);
  EXPECT_TRUE(text.starts_with("brio: plug-in " + scene + ": cannot be loaded: ")) << text;
}

TEST(Plugin, that_is_none) {
  EXPECT_EQ(refused_plugin(broken_plugin(1)),
            fmt::format("brio: plug-in {}: is no plug-in of brio: it has no BRIO_PLUGIN(registry) {{…}}\n",
                        broken_plugin(1)));
}

TEST(Plugin, of_another_brio) {
  const std::string text = refused_plugin(broken_plugin(0));
  EXPECT_NE(text.find("was built for another brio; build it again"), std::string::npos) << text;
  EXPECT_NE(text.find("it has brio 0.0.1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("brio has brio 0.1.0, headers "), std::string::npos) << text;
}

TEST(Plugin, that_throws) {
  EXPECT_EQ(refused_plugin(broken_plugin(2)),
            fmt::format("brio: plug-in {}: failed while it registered its rows: no license\n", broken_plugin(2)));
}

TEST(Plugin, that_takes_a_name) {
  const std::string text = refused_plugin(broken_plugin(3));
  EXPECT_TRUE(text.starts_with(
      fmt::format("brio: plug-in {}: integrator \"si\" (\"mine\"): the name is taken by ", broken_plugin(3))))
      << text;
}

TEST(Plugin, option_may_stand_before_the_command) {
  EXPECT_EQ(brio("--plugin missing.so list").err, "brio: plug-in missing.so: no such file\n");
}

}  // namespace
}  // namespace brio
