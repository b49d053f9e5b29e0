#include "apps/program.hpp"

#include <fmt/format.h>

namespace brio::testing {

std::filesystem::path fresh_folder(const std::string& name) {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / fmt::format("brio-command-line-{}", getpid()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

Outcome brio(const std::string& arguments) {
  const auto folder = fresh_folder(fmt::format("streams-{}", getpid()));  // tests run side by side
  const std::string command = fmt::format("cd '{}' && '{}' {} > {}/out 2> {}/err", folder.string(), BRIO_PROGRAM,
                                          arguments, folder.string(), folder.string());
  const int status = std::system(command.c_str());
  const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / "out"),
                        read_text(folder / "err")};
  std::filesystem::remove_all(folder);
  return outcome;
}

int lines_of(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace brio::testing
