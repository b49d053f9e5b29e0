#pragma once
// One ledger of work: counters that every method shares, the time of the parts of a step, and extras that a method
// declares in its own file. Summaries, tables and pages read the declarations, so that a method with a quantity of its
// own is added without a change to any of them.

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace brio {

/// Time spent in the parts of a step [s].
struct PhaseTimes {
  double assembly = 0, factor = 0, solve = 0, other = 0;
  double total() const { return assembly + factor + solve + other; }
  PhaseTimes& operator+=(const PhaseTimes& more);
};

/// What people are told about a run in which a counter is above zero in some of the steps: nothing, or in which share
/// of them, and beyond which share the run is to be doubted.
struct Remark {
  static constexpr double kNever = 2;  ///< a share that no run has

  std::string_view said = {};    ///< of the steps, as in "12 % of the steps halved"; "" for nothing to say
  double doubtful = kNever;      ///< the share beyond which results are to be doubted
  std::string_view remedy = {};  ///< what to try then
};

/// A quantity of its steps that a method declares.
struct Extra {
  /// What the steps of a run make of it together.
  enum class Over {
    sum,
    last,
    largest,
    mean,  ///< over the steps taken; a step without it counts as 0
    curve  ///< nothing: it is shown step by step, in energy.csv and on the pages
  };
  /// How it is written.
  enum class Value {
    count,
    number,
    choice  ///< the number of a label
  };

  std::string_view name;  ///< its key in summary.json, its column in tables
  std::string_view meaning;
  std::string_view unit;  ///< "" where it has none
  Over over = Over::sum;
  Value value = Value::count;
  std::array<std::string_view, 4> labels = {};  ///< of a choice
  Remark remark = {};                           ///< on the steps in which it is not zero

  std::string_view label(double number) const { return labels.at(static_cast<size_t>(number)); }
};

/// The extras of a step, or of a run so far. Nothing is allocated.
class Extras {
 public:
  struct Entry {
    const Extra* what = nullptr;  ///< the declaration, which must outlive this
    double value = 0;
  };

  void set(const Extra& what, double value) { at(what) = value; }
  void add(const Extra& what, double more) { at(what) += more; }
  /// 0 where there is none.
  double operator[](const Extra& what) const { return find(what.name).value_or(0); }
  std::optional<double> find(std::string_view name) const;
  std::span<const Entry> entries() const { return {entries_.data(), size_}; }
  /// Of something that came later: each quantity as its declaration says, those of the kind "mean" as a sum.
  Extras& operator+=(const Extras& later);
  /// Makes means of the sums over so many steps.
  void take_means(int steps);

 private:
  static constexpr size_t kMost = 32;
  double& at(const Extra& what);

  std::array<Entry, kMost> entries_ = {};
  size_t size_ = 0;
};

/// The work of a step, of a part of it, or of all steps of a run.
struct StepWork {
  int factorizations = 0;
  int solves = 0;
  int projections = 0;
  int shifts = 0;
  int iterations = 0;
  int halvings = 0;
  int unconverged = 0;
  PhaseTimes time;
  Extras extras;

  /// Of something that came later.
  StepWork& operator+=(const StepWork& later);
};

/// One of the counters that every method shares.
struct WorkCounter {
  std::string_view name;  ///< as in summary.json
  std::string_view meaning;
  int StepWork::*value;
  Remark remark = {};
};

/// All of them, in the order of summary.json.
std::span<const WorkCounter> work_counters();

}  // namespace brio
