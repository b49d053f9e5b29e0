#pragma once
// Runs what an item asks for (scenes, solver steps, oscillators, stretched laws) and collects the measurements.

#include "brio/experiment/compare/compare.hpp"
#include "brio/experiment/reproduce/evidence.hpp"
#include "brio/experiment/reproduce/paper.hpp"
#include "brio/output/progress.hpp"

namespace brio {

struct ReproduceOptions {
  bool quick = true;
  std::optional<int> steps;  ///< of each run, at most: a check that everything runs; the results mean nothing
};

/// Facts about a run or a body for the page.
struct RunNote {
  std::string label, scene, method;
  int vertices = 0, elements = 0, steps = 0;
  double h = 0;  ///< [s]
  std::string status, message;
};

struct Gathered {
  Evidence evidence;               ///< of times the least of all rounds
  std::vector<TimesAgain> rounds;  ///< the times of each, where there are several
  std::vector<RunNote> runs;
  bool page = false;         ///< whether compare.html is in the folder
  bool interrupted = false;  ///< then nothing else counts
};

/// Writes the comparison of the item's runs into the folder.
Gathered gather(const PaperItem& item, const ReproduceOptions& options, const std::filesystem::path& folder,
                const ProgressListener& listener);

/// The numbers and the curves that a run leaves, for docs and messages.
std::vector<std::string> run_numbers();
std::vector<std::string> run_curves();

}  // namespace brio
