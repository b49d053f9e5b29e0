#include "brio/experiment/reproduce/verdict.hpp"

#include "brio/core/join.hpp"
#include "brio/experiment/reproduce/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace brio {

const char* const kVerdictRule =
    "An item agrees when all of its statements hold, agrees in part when some do, and does not agree when none does. A "
    "statement holds when its number obeys the rule printed beside it; one whose number could not be measured does not "
    "hold. An item without statements cannot be compared, and says why.";

std::string to_string(Outcome outcome) {
  static const char* const names[] = {"holds", "fails", "unknown"};
  return names[static_cast<int>(outcome)];
}

namespace {

/// The expression with other labels: "late(siere.kinetic) / late(si.kinetic)" of glim_siere in place of siere.
std::string with_todays_labels(const std::string& expression, const std::vector<std::string>& labels) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  std::string result;
  for (size_t at = 0; at < expression.size();) {
    size_t end = at;
    while (end < expression.size() && is_word(static_cast<unsigned char>(expression[end]))) ++end;
    const std::string word = expression.substr(at, std::max<size_t>(end - at, 1));
    const bool label = end < expression.size() && expression[end] == '.' &&
                       std::find(labels.begin(), labels.end(), word) != labels.end();
    result += label ? todays_label(word) : word;
    at += word.size();
  }
  return result;
}

}  // namespace

CheckResult judge(const ItemCheck& check, const Evidence& evidence, const std::vector<std::string>& today) {
  CheckResult result{check.say, check.value, evaluate(check.value, evidence), "", check.paper, Outcome::unknown, {},
                     {},        {}};
  if (const std::string other = with_todays_labels(check.value, today); other != check.value)
    if (const double value = evaluate(other, evidence); std::isfinite(value)) result.today = value;
  std::vector<std::string> rules;
  bool holds = true;
  const auto demand = [&](bool fulfilled, std::string rule) {
    holds = holds && fulfilled;
    rules.push_back(std::move(rule));
  };
  if (check.above) demand(result.value > *check.above, fmt::format("> {:g}", *check.above));
  if (check.below) demand(result.value < *check.below, fmt::format("< {:g}", *check.below));
  if (check.within)
    demand(std::fabs(result.value - *check.paper) <= *check.within * std::fabs(*check.paper),
           fmt::format("within {:g} % of {:g}", 100 * *check.within, *check.paper));
  result.rule = joined(rules, " and ");
  if (!std::isnan(result.value)) result.outcome = holds ? Outcome::holds : Outcome::fails;
  return result;
}

void find_spread(const ItemCheck& check, Evidence evidence, const std::vector<TimesAgain>& rounds,
                 CheckResult& result) {
  bool changes = false;
  for (const TimesAgain& round : rounds) {
    for (const auto& [label, times] : round)
      for (const auto& [name, time] : times) evidence[label].numbers[name] = time;
    const double value = evaluate(check.value, evidence);
    if (!std::isfinite(value)) continue;
    changes = changes || value != result.value;
    result.least = std::min(result.least.value_or(value), value);
    result.most = std::max(result.most.value_or(value), value);
  }
  if (!changes) result.least = result.most = {};
}

ItemVerdict verdict_on(const std::vector<CheckResult>& checks, const std::string& incomparable) {
  if (checks.empty()) return {"cannot be compared", incomparable};
  const auto count = [&](Outcome outcome) {
    return std::count_if(checks.begin(), checks.end(), [=](const CheckResult& c) { return c.outcome == outcome; });
  };
  const auto all = static_cast<std::ptrdiff_t>(checks.size()), held = count(Outcome::holds);
  std::string reason = fmt::format("{} of {} statement{} hold{}", held, all, all == 1 ? "" : "s", held == 1 ? "s" : "");
  if (count(Outcome::unknown) > 0) reason += fmt::format(", {} could not be measured", count(Outcome::unknown));
  return {held == all ? "agrees" : held > 0 ? "agrees in part" : "does not agree", reason};
}

}  // namespace brio
