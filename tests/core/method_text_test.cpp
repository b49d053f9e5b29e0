// Methods as people type them: "newmark:gamma=0.6:h=0.005".

#include "brio/core/method_text.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

TEST(MethodText, has_a_name_and_values_in_their_order) {
  const MethodText method = parse_method_text(" newmark : gamma=0.6:h=5e-3 ");
  EXPECT_EQ(method.name, "newmark");
  using Values = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(method.values, (Values{{"gamma", "0.6"}, {"h", "5e-3"}}));
  EXPECT_TRUE(parse_method_text("si").values.empty());
  EXPECT_EQ(parse_method_text("a:b=c=d").values, (Values{{"b", "c=d"}}));
}

TEST(MethodText, refuses_what_is_no_method) {
  for (const char* text : {"", ":h=1", "si:", "si:h", "si:=1", "si:name=be", "si:a.b=1", "si:a[0]=1"})
    EXPECT_THROW(parse_method_text(text), Error) << text;
}

}  // namespace
}  // namespace brio
