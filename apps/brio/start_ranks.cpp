#include "start_ranks.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/printable.hpp"
#include "brio/core/ranks.hpp"
#include "brio/extend/load_plugin.hpp"
#include "brio/system/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace brio {
namespace {

constexpr double kPatience = 5;  // how long an error waits for those of other ranks [s]

/// Where the error output of a silent rank went before.
int spoken = STDERR_FILENO;

std::string options;

std::filesystem::path engine_library(const std::string& name) {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::string file = "libbrio_" + name + ".so";
  for (const std::filesystem::path& folder : {program, program / ".." / BRIO_LIBDIR / "brio"})
    if (std::filesystem::is_regular_file(folder / file, ignored)) return folder / file;
  return {};
}

/// Loads the engine's library, where it lies beside the program.
void load_engine(const std::string& name) {
  if (const std::filesystem::path file = engine_library(name); !file.empty()) load_plugin(file);
}

void be_silent() {
  std::fflush(stdout);
  std::fflush(stderr);
  spoken = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// Commands that ranks do together.
bool is_shared_command(int argc, char** argv) {
  static constexpr std::array kShared = {"run", "resume", "modes", "check"};
  return std::any_of(argv + 1, argv + argc, [](const std::string& word) {
    return std::find(kShared.begin(), kShared.end(), word) != kShared.end();
  });
}

}  // namespace

bool is_first_process() { return ranks().several() ? ranks().writes() : launched().rank == 0; }

void start_ranks(int argc, char** argv) {
  set_engine_loader(load_engine);
  if (launched().count < 2) return;
  if (!is_shared_command(argc, argv))
    throw Error("{} ranks were started, and this command is for one process; start brio without mpirun or srun",
                launched().count);
  bring_engine("petsc");
  if (const std::string& missing = find_row(engines(), "engine", "petsc").missing; !missing.empty())
    throw Error("the engine \"petsc\" {}", missing);
  if (!ranks().several())
    throw Error(
        "{} processes were started, but each is alone: the MPI that started them is not the one that brio was built "
        "with; start them with its mpirun",
        launched().count);
  if (!ranks().writes()) be_silent();
  set_thread_count(0);
}

std::string availability(const std::string& engine) {
  const EngineEntry& row = find_row(engines(), "engine", engine);
  if (row.missing.empty()) return "";
  return engine_library(engine).empty() ? fmt::format("; {}", row.missing) : "; is built here";
}

int report(const std::string& text, int code) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) all += fmt::format("brio: {}\n", printable(line));
  std::fflush(stderr);
  dprintf(spoken, "%s", all.c_str());
  return code;
}

int fail_once(const std::string& text, int code) {
  if (!ranks().several()) return is_first_process() ? report(text, code) : code;
  if (ranks().writes()) report(text, code);
  if (ranks().arrive(kPatience)) return code;  // all have come to the same end
  if (!ranks().writes()) report(fmt::format("rank {} of {}: {}", ranks().rank(), ranks().count(), text), code);
  ranks().abort(code);
  return code;
}

void take_engine_options(int& argc, char** argv) {
  const auto names_option = [](const std::string& word) {
    return word.size() > 3 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) &&
           word.find('_') != std::string::npos;
  };
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (!names_option(argv[i])) {
      argv[kept++] = argv[i];
      continue;
    }
    options += fmt::format("{}{}", options.empty() ? "" : " ", argv[i]);
    const std::string next = i + 1 < argc ? argv[i + 1] : "-";
    const bool flag = (next[0] == '-' && next.size() > 1 && std::isalpha(static_cast<unsigned char>(next[1]))) ||
                      next.starts_with("--") || next == "-" || next.ends_with(".json");
    if (!flag) options += fmt::format(" {}", argv[++i]);
  }
  argc = kept;
  argv[argc] = nullptr;
}

const std::string& taken_engine_options() { return options; }

}  // namespace brio
