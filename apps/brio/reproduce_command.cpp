#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/join.hpp"
#include "brio/core/json.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/core/suggest.hpp"
#include "brio/experiment/reproduce/expression.hpp"
#include "brio/experiment/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "data_folder.hpp"
#include "interrupt.hpp"
#include "progress_of_runs.hpp"
#include "scene_arguments.hpp"
#include <memory>
#include <set>

namespace brio {
namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string folder = "out/papers", papers;
  bool list = false, findings = false, full = false, quick = false, again = false;
  std::optional<int> steps;
  int threads = 0;

  ReproduceOptions options() const { return {!full, steps}; }
};

std::vector<Paper> known_papers(const ReproduceArguments& arguments) {
  const std::filesystem::path folder =
      arguments.papers.empty() ? data_folder("papers") : std::filesystem::path(arguments.papers);
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    throw Error(
        "there is no folder papers here or beside the program; start brio in its source tree, or name the "
        "folder with --papers");
  return load_papers(folder);
}

/// The items that people mean: a name, or the beginning of several ("siere", "ere-fig1"); all without any.
std::set<std::string> chosen_items(const std::vector<Paper>& papers, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Paper& paper : papers)
    for (const PaperItem& item : paper.items) known.push_back(item.name);
  if (names.empty()) return {known.begin(), known.end()};
  std::set<std::string> chosen;
  for (const std::string& name : names) {
    const size_t before = chosen.size();
    for (const std::string& item : known)
      if (item == name || item.starts_with(name + "-")) chosen.insert(item);
    if (chosen.size() > before) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    throw Error("there is no item \"{}\"{} (`brio reproduce --list` shows them)", name,
                near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
  }
  return chosen;
}

void print_list(const std::vector<Paper>& papers) {
  for (const Paper& paper : papers) {
    fmt::print("{}: {}\n", paper.name, paper.cite);
    for (const PaperItem& item : paper.items) fmt::print("  {:22} {}\n", item.name, item.title);
  }
}

void print_findings() {
  fmt::print("numbers of a run:\n  {}\ncurves of a run, against time:\n  {}\nfunctions:\n", joined(run_numbers(), " "),
             joined(run_curves(), " "));
  for (const Entry& function : expression_functions()) fmt::print("  {}\n", function.summary);
}

int reproduce_items(const ReproduceArguments& arguments) {
  if (arguments.findings) {
    print_findings();
    return kOk;
  }
  const std::vector<Paper> papers = known_papers(arguments);
  if (arguments.list) {
    print_list(papers);
    return kOk;
  }
  if (arguments.quick && arguments.full) throw Error("--quick and --full: choose one of them");
  set_thread_count(arguments.threads);
  Stopwatch::choose(Clock::processor);  // verdicts must not depend on what else the machine does
  const InterruptGuard guard;
  create_folder(arguments.folder);
  const FolderLock lock(arguments.folder);
  const ReproduceOptions options = arguments.options();
  const std::set<std::string> chosen = chosen_items(papers, arguments.names);
  std::map<std::string, Json> results;
  for (const Paper& paper : papers)
    for (const PaperItem& item : paper.items)
      if (!arguments.again || !chosen.contains(item.name))
        if (auto earlier = earlier_result(item, options, arguments.folder)) results[item.name] = std::move(*earlier);

  ProgressOfRuns progress;
  const ProgressListener listener = progress.listener();
  size_t at = 0;
  bool failed = false;
  for (const Paper& paper : papers)
    for (const PaperItem& item : paper.items) {
      if (!chosen.contains(item.name)) continue;
      ++at;
      const bool done = results.contains(item.name);
      if (!done) {
        auto result = reproduce(item, options, arguments.folder, listener);
        progress.end();
        if (!result) {
          write_reproductions(arguments.folder, papers, options, results);
          fmt::print(stderr, "brio: interrupted; the same command goes on where this one stopped\n");
          return kInterrupted;
        }
        results[item.name] = std::move(*result);
        write_reproductions(arguments.folder, papers, options, results);
      }
      const Json& result = results[item.name];
      failed = failed || result["verdict"] == "failed";
      fmt::print("{:>3}/{} {:22} {}: {}{}\n", at, chosen.size(), item.name, result["verdict"].get<std::string>(),
                 result["reason"].get<std::string>(), done ? " (from before)" : "");
      std::fflush(stdout);
    }
  write_reproductions(arguments.folder, papers, options, results);
  fmt::print("open {}/index.html in a browser; the numbers are in reproduce.json beside it\n", arguments.folder);
  return failed ? kUnexpected : kOk;
}

}  // namespace

void add_reproduce(CommandLine& app, Command& command) {
  CommandLine* reproduce_app =
      app.add_subcommand("reproduce", "redo the tables and figures of the papers, and judge them by their own claims");
  auto arguments = std::make_shared<ReproduceArguments>();
  reproduce_app
      ->add_option("items", arguments->names, "which: siere-fig6, or all that begin so: siere; everything if left out")
      ->type_name("NAME...");
  reproduce_app->add_flag("--list", arguments->list, "show the items and do nothing");
  reproduce_app->add_flag("--findings", arguments->findings,
                          "show what the expressions of an item can use: numbers, curves and functions");
  reproduce_app->add_flag("--quick", arguments->quick,
                          "shortened runs, a quarter of an hour on two cores (the default)");
  reproduce_app->add_flag("--full", arguments->full, "the papers' sizes and durations; takes hours");
  reproduce_app->add_flag("--again", arguments->again, "redo what is done already");
  reproduce_app
      ->add_option("--steps", arguments->steps, "at most so many of each run: shows that all runs, and no more")
      ->type_name("N")
      ->range(1, 1000000);
  reproduce_app->add_option("--papers", arguments->papers, "folder of the files that describe the items")
      ->type_name("DIR");
  reproduce_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_threads_option(*reproduce_app, arguments->threads);
  reproduce_app->callback([arguments, &command] { command = [arguments] { return reproduce_items(*arguments); }; });
}

}  // namespace brio
