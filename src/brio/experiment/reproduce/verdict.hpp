#pragma once
// Verdicts: a statement holds when its number satisfies its rule; the verdict on an item follows from its statements.

#include "brio/experiment/reproduce/evidence.hpp"
#include "brio/experiment/reproduce/paper.hpp"

namespace brio {

enum class Outcome { holds, fails, unknown };
std::string to_string(Outcome outcome);

struct CheckResult {
  std::string say;
  std::string value_text;  ///< the expression
  double value;            ///< may be infinite, or not a number
  std::string rule;        ///< "> 1", "within 20 % of 3.5"
  std::optional<double> paper;
  Outcome outcome;
  std::optional<double> least = {}, most = {};  ///< over rounds that were measured in turns, where the value changes with them
  std::optional<double> today = {};  ///< the expression with today's method in place of the paper's, where it has been run
};

/// `today`: the labels for which a run with today's method can stand in.
CheckResult judge(const ItemCheck& check, const Evidence& evidence, const std::vector<std::string>& today = {});

/// Fills `least` and `most` with the check's value for the times of each round in place of the least of all.
void find_spread(const ItemCheck& check, Evidence evidence, const std::vector<TimesAgain>& rounds, CheckResult& result);

struct ItemVerdict {
  std::string text;    ///< "agrees", "agrees in part", "does not agree", "cannot be compared"
  std::string reason;  ///< "3 of 4 statements hold; …"
};

/// Agrees when all statements hold, agrees in part when some do, does not agree when none does; a statement whose
/// number could not be measured does not hold. Without statements it cannot be compared, for the item's own reason.
ItemVerdict verdict_on(const std::vector<CheckResult>& checks, const std::string& incomparable);

/// The rule above, as the page prints it.
extern const char* const kVerdictRule;

}  // namespace brio
