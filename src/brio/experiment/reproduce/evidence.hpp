#pragma once
// Measurements for an item of a paper: numbers and curves of each of its runs, solvers or laws, by label.

#include <map>
#include <string>
#include <vector>

namespace brio {

struct SampledCurve {
  std::vector<double> x, y;  ///< x does not decrease
};

struct Findings {
  std::map<std::string, double> numbers;  ///< not a number where there is none
  std::map<std::string, SampledCurve> curves;
  std::string trouble;  ///< what went wrong, "" when nothing did; curves end there
};

using Evidence = std::map<std::string, Findings>;

/// Times that were measured once more, by label and name.
using TimesAgain = std::map<std::string, std::map<std::string, double>>;

}  // namespace brio
