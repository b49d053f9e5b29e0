#include "brio/core/file.hpp"

#include "brio/core/error.hpp"

#include "output/files.hpp"

using namespace brio;
using namespace brio::testing;

TEST(OutputFile, full_disk_is_an_error_with_the_path) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  EXPECT_EQ(message_of<Error>([] {
              OutputFile file("/dev/full");
              file.write("something");
              file.close();
            }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(message_of<Error>([] {
              OutputFile file("/dev/full");
              file.write("something");
              file.flush();
            }),
            "/dev/full: cannot write: No space left on device");
}

TEST(OutputFile, missing_folder_is_an_error_with_the_path) {
  TemporaryFolder folder;
  const std::string path = (folder / "missing/file").string();
  EXPECT_EQ(message_of<Error>([&] { OutputFile file(path); }),
            path + ": cannot create the file: No such file or directory");
}

TEST(OutputFile, a_new_file_is_never_empty) {
  TemporaryFolder folder;
  OutputFile file(folder / "file");
  file.write("first line\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "file"));
  file.flush();
  EXPECT_EQ(contents(folder / "file"), "first line\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "file.part"));
}

TEST(OutputFile, continues_at_a_length_and_no_further) {
  TemporaryFolder folder;
  write_whole_file(folder / "file", [](OutputFile& file) { file.write("one\ntwo\nthr"); });
  {
    OutputFile file(folder / "file", 8);
    file.write("three\n");
    EXPECT_EQ(file.size(), 14u);
  }
  EXPECT_EQ(contents(folder / "file"), "one\ntwo\nthree\n");
  EXPECT_NE(message_of<Error>([&] { OutputFile(folder / "file", 15); }).find("has 14 bytes and had 15"),
            std::string::npos);
}

TEST(OutputFile, whole_files_are_the_old_ones_until_they_are_complete) {
  TemporaryFolder folder;
  write_whole_file(folder / "file", [](OutputFile& file) { file.write("first"); });
  const auto fail_halfway = [&] {
    write_whole_file(folder / "file", [](OutputFile& file) {
      file.write("sec");
      throw Error("out of ideas");
    });
  };
  EXPECT_EQ(message_of<Error>(fail_halfway), "out of ideas");
  EXPECT_EQ(contents(folder / "file"), "first");
  EXPECT_FALSE(std::filesystem::exists(folder / "file.part"));
  std::filesystem::create_directory(folder / "folder");
  const std::string message = message_of<Error>([&] { write_whole_file(folder / "folder", [](OutputFile&) {}); });
  EXPECT_NE(message.find("Is a directory"), message.npos) << message;
}
