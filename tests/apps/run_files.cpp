#include "apps/run_files.hpp"

#include "brio/core/json.hpp"

#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>

namespace brio::testing {
namespace fs = std::filesystem;
namespace {

template <class T>
T number_at(const std::string& bytes, size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// What is wrong with a file of a run, by the rules of its own format; "" where nothing is.
std::string fault_of(const fs::path& file, bool after_kill) {
  const std::string bytes = read_text(file), name = file.filename().string();
  if (name.ends_with(".part")) return after_kill ? "" : "a leftover";
  if (name.ends_with(".csv")) return bytes.ends_with("\n") ? "" : "its last line is torn";
  if (name.ends_with(".json")) {
    try {
      Json::parse(bytes);
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  if (name.ends_with(".glb") && (bytes.substr(0, 4) != "glTF" || number_at<std::uint32_t>(bytes, 8) != bytes.size() ||
                                 20 + number_at<std::uint32_t>(bytes, 12) + 8 +
                                         number_at<std::uint32_t>(bytes, 20 + number_at<std::uint32_t>(bytes, 12)) !=
                                     bytes.size()))
    return "its lengths are wrong";
  if (name.ends_with(".npy")) {
    size_t items = 1;
    const size_t from = bytes.find("'shape': (");
    if (from == bytes.npos) return "it has no header";
    for (const char* at = bytes.c_str() + from + 10; *at && *at != ')';) {
      char* end = nullptr;
      const long value = std::strtol(at, &end, 10);
      if (end == at) break;
      items *= static_cast<size_t>(value);
      at = end + std::strspn(end, ", ");
    }
    const size_t size = bytes.find("<f8") != bytes.npos ? 8 : 4;
    if (bytes.find("<U") == bytes.npos && bytes.size() < 128 + items * size) return "it has fewer numbers than it says";
  }
  if (name.ends_with(".npz") && (bytes.substr(0, 2) != "PK" || bytes.substr(bytes.size() - 22, 2) != "PK"))
    return "it is cut off";
  if (name.ends_with(".pc2") && bytes.size() < 32 + 12 * static_cast<size_t>(number_at<std::int32_t>(bytes, 16)) *
                                                        number_at<std::int32_t>(bytes, 28))
    return "it has fewer samples than it says";
  if ((name.ends_with(".pvd") || name.ends_with(".vtu")) && !bytes.ends_with("</VTKFile>\n")) return "it is cut off";
  if (name.ends_with(".html") && bytes.find("</html>") == bytes.npos) return "it is cut off";
  return "";
}

/// Everything but checkpoints, timings and pages.
std::map<std::string, std::string> results_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name.ends_with(".html") || name.ends_with(".json") || name.ends_with(".brio") ||
        name == "compare.csv")
      continue;
    std::string text = read_text(entry.path());
    if (name == "energy.csv" || name == "compare_series.csv") {
      std::istringstream lines(text);
      text.clear();
      for (std::string line; std::getline(lines, line); text += line + "\n") {
        size_t from = 0;
        for (int column = 0; column < (name == "energy.csv" ? 16 : 17); ++column) from = line.find(',', from) + 1;
        line.erase(from, line.find(',', from) - from);  // step_ms
      }
    }
    files[name] = text;
  }
  return files;
}

}  // namespace

std::string scene_in(const fs::path& folder, const char* text) {
  std::ofstream(folder / "scene.json") << text;
  return (folder / "scene.json").string();
}

void expect_whole_files(const fs::path& folder, bool after_kill) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      EXPECT_EQ(fault_of(entry.path(), after_kill), "") << entry.path();
    }
}

void expect_same_results(const fs::path& one, const fs::path& other) {
  const auto expected = results_of(one), found = results_of(other);
  for (const auto& [name, text] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(found.at(name) == text) << name;
  }
  for (const auto& [name, text] : found) EXPECT_TRUE(expected.contains(name)) << name;
}

pid_t started(const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> list = {const_cast<char*>(BRIO_PROGRAM)};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  (void)!std::freopen("/dev/null", "w", stdout);
  (void)!std::freopen("/dev/null", "w", stderr);
  execv(BRIO_PROGRAM, list.data());
  _exit(127);
}

int signaled(pid_t child, const fs::path& table, int lines, int signal) {
  int status = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    if (fs::exists(table) && lines_of(table) >= lines) break;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  kill(child, signal);
  waitpid(child, &status, 0);
  return status;
}

}  // namespace brio::testing
