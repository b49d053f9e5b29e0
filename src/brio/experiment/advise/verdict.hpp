#pragma once
// From measured numbers to a recommendation, by a rule that is printed with it.

#include <optional>
#include <string>
#include <vector>

namespace brio {

/// What was measured in one trial.
struct Trial {
  std::string label;
  double h = 0;           ///< [s]
  bool own = false;       ///< what the scene has already
  bool finished = false;  ///< all steps, without running away
  std::string failure;    ///< in words, where not finished
  int steps = 0;          ///< taken
  double cost = 0;        ///< time per simulated second, the slowest tenth of the steps left out
  /// Energy error at the end (positive: gained) relative to the largest energy above the lowest potential energy; empty
  /// where there was none.
  std::optional<double> drift;
  double gain = 0;              ///< the largest gain at any time, relative to the same
  std::optional<double> error;  ///< relative distance from the reference
  bool projected = false;       ///< whether indefinite stiffness was met
};

/// Criteria that a trial must meet to be recommended.
struct TrialCriteria {
  double loss = 0.1;          ///< of the energy, in one swing
  double least_loss = 0.02;   ///< in all, however short the trial
  double most_swings = 5;     ///< that are counted
  double gain = 0.1;          ///< of the energy, in all
  double error = 0.1;         ///< always near enough to the reference
  double error_factor = 2;    ///< or this times the error of the nearest
  double cost_factor = 1.25;  ///< costs within it are equal: timings are not better than that
};

struct Verdict {
  std::optional<size_t> chosen;         ///< of the trials; nothing when none of them finished
  std::vector<std::string> objections;  ///< to each trial; "" where it passes the criteria
  std::string reason;                   ///< for the choice
};

/// `swings`: how many times the body swings during the trials; 0 where that is not known. Ties go to the
/// scene's own method.
Verdict choose_method(const std::vector<Trial>& trials, double swings, const TrialCriteria& criteria = {});

/// The same among different steps of one method, measured by the criteria of all trials: the longest step that passes,
/// or `chosen` (one of them) where none does better.
Verdict choose_step(const std::vector<Trial>& trials, size_t chosen, const std::vector<size_t>& steps, double swings,
                    const TrialCriteria& criteria = {});

/// The rule in words.
std::string rule_text(const TrialCriteria& criteria = {});

}  // namespace brio
