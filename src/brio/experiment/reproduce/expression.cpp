#include "brio/experiment/reproduce/expression.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace brio {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kQuarter = 0.25;  // of a curve, that counts as early or late

double interpolated(const SampledCurve& curve, double x) {
  if (curve.x.empty() || x < curve.x.front() || x > curve.x.back()) return kUnknown;
  const size_t right = std::lower_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin();
  if (right == 0 || curve.x[right] == x) return curve.y[right];
  const double share = (x - curve.x[right - 1]) / (curve.x[right] - curve.x[right - 1]);
  return (1 - share) * curve.y[right - 1] + share * curve.y[right];
}

/// The part of the curve with x from `from` to `to`, as shares of its length.
SampledCurve part_of(const SampledCurve& curve, double from, double to) {
  SampledCurve part;
  if (curve.x.empty()) return part;
  const double start = curve.x.front(), length = curve.x.back() - start;
  for (size_t i = 0; i < curve.x.size(); ++i) {
    const double place = length > 0 ? (curve.x[i] - start) / length : 0;
    if (place < from || place > to) continue;
    part.x.push_back(curve.x[i]);
    part.y.push_back(curve.y[i]);
  }
  return part;
}

SampledCurve late_part(const SampledCurve& curve) { return part_of(curve, 1 - kQuarter, 1); }

/// Of the samples: those of a run are evenly spaced.
double mean_of(const SampledCurve& curve) {
  if (curve.y.empty()) return kUnknown;
  double sum = 0;
  for (double y : curve.y) sum += y;
  return sum / static_cast<double>(curve.y.size());
}

double least_of(const SampledCurve& curve) {
  return curve.y.empty() ? kUnknown : *std::min_element(curve.y.begin(), curve.y.end());
}

double most_of(const SampledCurve& curve) {
  return curve.y.empty() ? kUnknown : *std::max_element(curve.y.begin(), curve.y.end());
}

template <class Holds>
double first_place(const SampledCurve& curve, const Holds& holds) {
  if (curve.y.empty()) return kUnknown;
  for (size_t i = 0; i < curve.y.size(); ++i)
    if (holds(curve.y[i])) return curve.x[i];
  return kNever;
}

struct FunctionOfCurve {
  const char* name;
  int numbers;  ///< arguments behind the curve
  bool whole;   ///< whether it makes sense for a whole curve only, not for one that ends where the run blew up
  double (*value)(const SampledCurve& curve, double argument);
  const char* doc;
};

const FunctionOfCurve kCurveFunctions[] = {
    {"at", 1, false, interpolated, "the curve at x, between its samples; unknown outside"},
    {"first", 0, false, [](const SampledCurve& c, double) { return c.y.empty() ? kUnknown : c.y.front(); },
     "its first value"},
    {"last", 0, true, [](const SampledCurve& c, double) { return c.y.empty() ? kUnknown : c.y.back(); },
     "its last value"},
    {"least", 0, false, [](const SampledCurve& c, double) { return least_of(c); }, "its least value"},
    {"most", 0, false, [](const SampledCurve& c, double) { return most_of(c); }, "its greatest value"},
    {"mean", 0, true, [](const SampledCurve& c, double) { return mean_of(c); }, "the mean of its samples"},
    {"early", 0, true, [](const SampledCurve& c, double) { return mean_of(part_of(c, 0, kQuarter)); },
     "the mean over its first quarter"},
    {"late", 0, true, [](const SampledCurve& c, double) { return mean_of(late_part(c)); },
     "the mean over its last quarter"},
    {"swing", 0, true, [](const SampledCurve& c, double) { return most_of(c) - least_of(c); },
     "greatest less least value"},
    {"early_swing", 0, true,
     [](const SampledCurve& c, double) {
       const SampledCurve part = part_of(c, 0, kQuarter);
       return most_of(part) - least_of(part);
     },
     "greatest less least value in its first quarter"},
    {"late_swing", 0, true,
     [](const SampledCurve& c, double) {
       const SampledCurve part = late_part(c);
       return most_of(part) - least_of(part);
     },
     "greatest less least value in its last quarter"},
    {"below", 1, false, [](const SampledCurve& c, double y) { return first_place(c, [y](double v) { return v < y; }); },
     "the first x at which the curve is below the number; infinite if it never is"},
    {"above", 1, false, [](const SampledCurve& c, double y) { return first_place(c, [y](double v) { return v > y; }); },
     "the first x at which the curve is above the number; infinite if it never is"},
};

/// At the samples of the first curve that the second has a value for.
double greatest_distance(const SampledCurve& a, const SampledCurve& b) {
  double greatest = kUnknown;
  for (size_t i = 0; i < a.x.size(); ++i)
    if (const double other = interpolated(b, a.x[i]); !std::isnan(other))
      greatest = std::fmax(greatest, std::fabs(a.y[i] - other));
  return greatest;
}
constexpr const char* kApart = "apart";  // the only function of two curves

struct FunctionOfNumbers {
  const char* name;
  int numbers;
  double (*value)(double a, double b);
  const char* doc;
};

const FunctionOfNumbers kNumberFunctions[] = {
    {"abs", 1, [](double a, double) { return std::fabs(a); }, "without its sign"},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }, "square root"},
    {"log10", 1, [](double a, double) { return std::log10(a); }, "logarithm to base 10"},
    {"min", 2, [](double a, double b) { return a < b || std::isnan(a) ? a : b; }, "the smaller of two numbers"},
    {"max", 2, [](double a, double b) { return a > b || std::isnan(a) ? a : b; }, "the greater of two numbers"},
};

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
}

template <class Map>
const auto& find_in(const Map& map, const std::string& key, const char* kind, const std::string& where) {
  const auto found = map.find(key);
  if (found != map.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, value] : map) known.push_back(name);
  throw Error("{}: there is no {} \"{}\"{} (known: {})", where, kind, key, did_you_mean(key, known),
              joined(known, ", "));
}

/// One pass over the text, by recursive descent.
class Evaluator {
 public:
  Evaluator(const std::string& text, const Evidence& evidence) : text_(text), evidence_(evidence) {}

  double value() {
    const double result = sum();
    if (next() != '\0') fail("expected the end");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("\"{}\", character {}: {}", text_, at_ + 1, what);
  }

  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected \"{}\"", c));
  }

  double sum() {
    double value = product();
    while (true) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }

  double product() {
    double value = factor();
    while (true) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= factor();
      else
        return value;
    }
  }

  double factor() {
    constexpr int kDeepest = 100;
    if (++depth_ > kDeepest) fail("nested too deeply");
    const double value = plain_factor();
    --depth_;
    return value;
  }

  double plain_factor() {
    if (take('-')) return -factor();
    if (take('(')) {
      const double value = sum();
      expect(')');
      return value;
    }
    const char c = next();
    if ((c >= '0' && c <= '9') || c == '.') return number();
    const std::string name = word();
    if (take('(')) return call(name);
    expect('.');
    const std::string measure = word();
    return find_in(findings(name).numbers, measure, "number", name);
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected a number");
    at_ = end - text_.data();
    return value;
  }

  std::string word() {
    next();
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (begin == at_) fail("expected a number, a function or a finding such as si.step_ms");
    return text_.substr(begin, at_ - begin);
  }

  const Findings& findings(const std::string& label) { return find_in(evidence_, label, "label", text_); }

  std::pair<const Findings*, const SampledCurve*> curve_argument() {
    const std::string label = word();
    expect('.');
    const Findings& found = findings(label);
    return {&found, &find_in(found.curves, word(), "curve", label)};
  }

  double call(const std::string& name) {
    for (const FunctionOfCurve& function : kCurveFunctions)
      if (name == function.name) {
        const auto [found, curve] = curve_argument();
        const double argument = arguments(function.numbers, true)[0];
        return function.whole && !found->trouble.empty() ? kUnknown : function.value(*curve, argument);
      }
    if (name == kApart) {
      const auto [first, a] = curve_argument();
      expect(',');
      const auto [second, b] = curve_argument();
      expect(')');
      return first->trouble.empty() && second->trouble.empty() ? greatest_distance(*a, *b) : kUnknown;
    }
    for (const FunctionOfNumbers& function : kNumberFunctions)
      if (name == function.name) {
        const auto numbers = arguments(function.numbers, false);
        return function.value(numbers[0], numbers[1]);
      }
    std::vector<std::string> known;
    for (const Entry& entry : expression_functions()) known.push_back(entry.name);
    fail(fmt::format("there is no function \"{}\"{}", name, did_you_mean(name, known)));
  }

  /// What stands between here and the closing parenthesis.
  std::array<double, 2> arguments(int count, bool more) {
    std::array<double, 2> values{};
    for (int i = 0; i < count; ++i) {
      if (i > 0 || more) expect(',');
      values[i] = sum();
    }
    expect(')');
    return values;
  }

  const std::string& text_;
  const Evidence& evidence_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(const std::string& expression, const Evidence& evidence) {
  return Evaluator(expression, evidence).value();
}

const SampledCurve& find_curve(const std::string& name, const Evidence& evidence) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) throw Error("\"{}\": expected a label and a curve, as in si.total", name);
  const Findings& findings = find_in(evidence, name.substr(0, dot), "label", name);
  return find_in(findings.curves, name.substr(dot + 1), "curve", name);
}

const std::vector<Entry>& expression_functions() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> rows;
    for (const FunctionOfCurve& f : kCurveFunctions)
      rows.push_back({f.name, fmt::format("{}({}): {}", f.name, f.numbers ? "curve, number" : "curve", f.doc), {}});
    rows.push_back(
        {kApart, "apart(curve, curve): the greatest distance of two curves, at the samples of the first", {}});
    for (const FunctionOfNumbers& f : kNumberFunctions)
      rows.push_back({f.name, fmt::format("{}({}): {}", f.name, f.numbers == 2 ? "a, b" : "a", f.doc), {}});
    return rows;
  }();
  return entries;
}

}  // namespace brio
