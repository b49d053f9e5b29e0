#pragma once
// What brio reproduces: a file of papers/ holds the tables and figures of one paper, each with the runs that it takes,
// the paper's numbers, and the rules by which ours are judged. docs/reproduce.md describes the format.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brio {

/// A scene with values put in place of its own, "key.path=value".
struct SceneChange {
  std::filesystem::path scene;          ///< ready to open
  std::vector<std::string> set, quick;  ///< always, and when time is short
};

struct LabeledRun {
  std::string label;
  SceneChange change;
};

/// How fast solvers find one backward Euler step of a scene.
struct ConvergenceSource {
  SceneChange change;
  int frame = 0;  ///< steps taken before
  struct Solver {
    std::string label, name;
    int iterations = 0, window = 0;
    double rho = 0;
  };
  std::vector<Solver> solvers;
};

/// What a method's step does to a single vibration; with a frequency also its path.
struct OscillatorSource {
  std::string label, method;           ///< "exact" for none
  std::optional<double> omega;         ///< [rad/s]
  double damping = 0, h = 0, end = 0;  ///< [1/s], [s], [s]
};

/// A material of a scene, stretched.
struct MaterialSource {
  std::string label;
  SceneChange change;
  int index = 0;  ///< which of the scene's materials
};

struct ItemTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< "=si.step_ms" is an expression, other text stands for itself
};

struct ItemChart {
  std::string title, across, unit, log;
  std::vector<std::string> curves;  ///< "si.total"
  struct Line {
    std::string name;
    std::vector<std::string> x, y;  ///< expressions
  };
  std::vector<Line> lines;
};

/// A statement that is checked against the measured numbers.
struct ItemCheck {
  std::string say;    ///< the paper's statement, in our words
  std::string value;  ///< an expression
  std::optional<double> above, below, within;
  std::optional<double> paper;  ///< the paper's number; `within` is relative to it
};

struct PaperItem {
  std::string name, title;
  std::string claim;               ///< what the paper shows, in our words
  std::string differs;             ///< what is not as in the paper
  std::string incomparable;        ///< why there is nothing to check, or ""
  std::string why;                 ///< where not all statements hold: the reason, in a sentence
  int rounds = 1;                  ///< how often the runs are done in turns, for times that other work does not disturb
  std::vector<std::string> today;  ///< labels of runs that are done with today's default method, too
  std::string no_today;            ///< why there are none, where that method has nothing to say
  std::vector<LabeledRun> runs;
  std::optional<LabeledRun> reference;
  std::vector<ConvergenceSource> convergence;
  std::vector<OscillatorSource> oscillators;
  std::vector<MaterialSource> materials;
  std::vector<ItemTable> tables;
  std::vector<ItemChart> charts;
  std::vector<ItemCheck> checks;
  /// What quick and full runs measure as it stands in the file, with the texts of the scenes: tells whether it changed.
  std::string quick_text, full_text;
};

struct Paper {
  std::string name, cite;
  std::vector<PaperItem> items;
};

/// The method that new scenes get, and the label of a run with it in place of its own.
inline constexpr const char* kTodaysMethod = "glim";
std::string todays_label(const std::string& label);

/// Throws one Error with a line for every problem found.
Paper load_paper(const std::filesystem::path& file);
Paper parse_paper(const std::string& text, const std::filesystem::path& file);

/// All papers of a folder, in the order of their file names. Throws Error when two items have one name.
std::vector<Paper> load_papers(const std::filesystem::path& folder);

}  // namespace brio
