// What is stored comes back, and what is not whole is said.

#include "brio/core/archive.hpp"

#include "brio/core/error.hpp"
#include "brio/core/printable.hpp"

#include "output/files.hpp"

namespace brio::testing {
namespace {

struct Shelf {
  int number = 0;
  std::string text;
  std::vector<std::string> words;
  std::vector<double> values;
  VectorXd vector;
  std::optional<Vec3> place;

  void archive(Archive& archive) {
    archive.mark("shelf");
    archive(number, text, words, values, vector, place);
  }
};

TEST(Archive, brings_back_what_was_stored) {
  Shelf full{7, "books", {"a", ""}, {1.5, -0.0}, VectorXd::LinSpaced(5, 0, 1), Vec3(1, 2, 3)}, found;
  Archive store;
  store(full);
  Archive load(store.bytes());
  load(found);
  EXPECT_EQ(found.number, 7);
  EXPECT_EQ(found.text, "books");
  EXPECT_EQ(found.words, full.words);
  EXPECT_EQ(found.values, full.values);
  EXPECT_TRUE(found.vector == full.vector && found.place == full.place);
}

TEST(Archive, says_what_is_not_whole) {
  Shelf full{7, "books", {"a"}, {1.5}, VectorXd::Ones(5), {}};
  Archive store;
  store(full);
  for (size_t length = 0; length < store.bytes().size(); ++length) {
    Archive cut(store.bytes().substr(0, length));
    Shelf found;
    EXPECT_NE(message_of<Error>([&] { cut(found); }).find("ends too early"), std::string::npos) << length;
  }
  Archive other(store.bytes());
  EXPECT_NE(message_of<Error>([&] { other.mark("chair"); }).find("\"shelf\" where \"chair\""), std::string::npos);
}

TEST(Printable, writes_control_characters_out) {
  EXPECT_EQ(printable(std::string_view("red\x1b[31m\0é\u009b\x7f\n\t", 16)), "red\\x1b[31m\\x00é\\x9b\\x7f\n\t");
  EXPECT_EQ(printable("plain"), "plain");
}

}  // namespace
}  // namespace brio::testing
