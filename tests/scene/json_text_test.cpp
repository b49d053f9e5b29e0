// The strict JSON parser: every refusal names the place, and no input makes it crash, hang or swell.

#include "brio/scene/json_text.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace brio {
namespace {

std::string refused_text(const std::string& text) {
  try {
    parse_json(text, "s.json");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(JsonText, accepts_comments_and_byte_order_mark) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF{\"a\": 1 /* one */, // and\n \"b\": [true, null, \"é\", -2.5e3]}", ""),
            Json::parse(R"({"a": 1, "b": [true, null, "é", -2.5e3]})"));
}

TEST(JsonText, builds_nested_containers_in_order) {
  const std::string text = R"([[1,[2,[]],{}],{"a":{"b":[{"c":[3]},4]},"d":[[],[5]]},"x"])";
  EXPECT_EQ(parse_json(text, "").dump(), text);
}

TEST(JsonText, syntax_errors_give_line_and_column) {
  EXPECT_EQ(refused_text("{\n  \"a\": ,\n}"),
            "s.json: line 2, column 8: syntax error while parsing value - unexpected ','; "
            "expected '[', '{', or a literal");
  EXPECT_EQ(refused_text("{\"a\": 1"),
            "s.json: line 1, column 7: syntax error while parsing object - unexpected end of input; "
            "expected '}'");
  EXPECT_TRUE(refused_text("{} {}").starts_with("s.json: line 1, column 4: ")) << refused_text("{} {}");
  EXPECT_EQ(refused_text("[NaN]"),
            "s.json: line 1, column 2: syntax error while parsing value - invalid literal; last read: '[N'");
  EXPECT_TRUE(refused_text("[Infinity]").starts_with("s.json: line 1, column 2: ")) << refused_text("[Infinity]");
}

TEST(JsonText, names_numbers_beyond_double) {
  EXPECT_EQ(refused_text("{\n\"h\": 1e999}"), "s.json: line 2, column 11: number overflow parsing '1e999'");
}

TEST(JsonText, refuses_duplicate_keys_with_the_place) {
  EXPECT_EQ(refused_text("{\"h\": 1,\n \"h\": 2}"),
            "s.json: line 2, column 4: the key \"h\" is given twice in one object");
  EXPECT_EQ(refused_text(R"([{"h": 1}, {"h": 2}])"), "");
}

TEST(JsonText, refuses_what_is_not_utf8) {
  EXPECT_TRUE(refused_text("{\"a\": \"\xC3\x28\"}").starts_with("s.json: line 1, column 9: "))
      << refused_text("{\"a\": \"\xC3\x28\"}");
  EXPECT_EQ(refused_text(std::string("\xFF\xFE{\0}\0", 6)), "s.json: is written in UTF-16; save it as UTF-8");
}

TEST(JsonText, refuses_empty_text) {
  EXPECT_EQ(refused_text(""), "s.json: the file is empty");
  EXPECT_EQ(refused_text(" \n\t"), "s.json: the file is empty");
}

TEST(JsonText, refuses_absurd_nesting) {
  const std::string deepest = std::string(kDeepestNesting, '[') + std::string(kDeepestNesting, ']');
  EXPECT_EQ(refused_text(deepest), "");
  EXPECT_EQ(refused_text("[" + deepest + "]"), "s.json: line 1, column 33: nested deeper than 32 levels");
  EXPECT_EQ(refused_text(std::string(1 << 20, '[')), "s.json: line 1, column 33: nested deeper than 32 levels");
}

TEST(JsonText, messages_stay_short_for_long_input) {
  EXPECT_LT(refused_text("{\"a\": \"" + std::string(10 << 20, 'x')).size(), 300u);
  EXPECT_LT(refused_text("{\"" + std::string(1 << 20, 'k') + "\" 1}").size(), 300u);
  EXPECT_LT(refused_text("[" + std::string(1 << 20, '9') + "]").size(), 300u);
}

TEST(JsonText, every_truncation_is_refused) {
  const std::string whole = R"({"a": [1, -2.5e-3, true], "b": {"c": "é\n"}})";
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(refused_text(whole.substr(0, length)), "") << length;
  EXPECT_EQ(refused_text(whole), "");
}

}  // namespace
}  // namespace brio
