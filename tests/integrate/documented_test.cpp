// docs/integrators.md knows every row of the table, and every option.

#include "brio/core/text_file.hpp"
#include "brio/integrate/integrator.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

TEST(Integrators, are_all_on_the_page) {
  const std::string page = read_text(BRIO_SOURCE_DIR "/docs/integrators.md");
  for (const IntegratorEntry& row : integrators()) {
    EXPECT_NE(page.find("| `" + row.name + "` |"), std::string::npos)
        << row.name << " in the table of docs/integrators.md";
    EXPECT_NE(page.find("**`" + row.name + "`**"), std::string::npos) << row.name << " has no paragraph";
    for (const Option& option : row.options)
      EXPECT_NE(page.find("`" + option.key + "`"), std::string::npos) << row.name << "." << option.key;
  }
}

}  // namespace
}  // namespace brio
