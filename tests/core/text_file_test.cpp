#include "brio/core/text_file.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include <cstdio>

namespace brio {
namespace {

std::string refused_file(const std::filesystem::path& file) {
  try {
    read_text(file, 1 << 20);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ReadText, says_what_is_wrong_with_the_file) {
  EXPECT_EQ(refused_file("no/such.json"), "no/such.json: no such file");
  EXPECT_EQ(refused_file("/"), "/: is a folder, not a file");
  EXPECT_EQ(refused_file("/dev/zero"), "/dev/zero: longer than the 1 MiB expected here");
}

TEST(ReadText, gives_every_byte) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "text";
  std::string written("a\0b\r\n", 5);
  written.append(3 << 20, 'x');
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_TRUE(file);
  std::fwrite(written.data(), 1, written.size(), file);
  std::fclose(file);
  EXPECT_EQ(read_text(path), written);
}

}  // namespace
}  // namespace brio
