#include "brio/integrate/methods/glim.hpp"

#include "brio/integrate/methods/implicit_scheme.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

// Shares of the energy that can move; justified in docs/lim.md.
constexpr double kExcess = 0.001;   // that is left alone; the energy of the midpoint rule swings by as much
constexpr double kGain = 0.003;     // in one piece with what was gained before, beyond which it is cut
constexpr double kLoss = 0.0001;    // in one piece, beyond which it is cut
constexpr double kOwed = 0.01;      // that was lost and may come back
constexpr double kCoarser = 0.125;  // of either, below which the next step tries larger pieces

constexpr std::string_view kBooks = "energy books";

constexpr Extra kPieces{"pieces", "pieces that the steps were cut into, all together", ""};
constexpr Extra kMostPieces{"most_pieces", "pieces of the step that was cut most", "", Extra::Over::largest};
constexpr Extra kEulerPieces{"euler_pieces", "pieces that gained energy however small and were taken by backward Euler",
                             ""};
constexpr Extra kEulerSteps{"euler_steps",
                            "steps that gained energy even so and were taken by backward Euler, solved to the end", ""};
constexpr Extra kInexact{
    "inexact_pieces", "pieces that were cut because the linearized forces were off by more than `adaptive` allows", ""};
constexpr Extra kTheta{"theta", "where the forces are taken: 0.5 in the middle, 1 at the end", "", Extra::Over::curve,
                       Extra::Value::number};

/// The midpoint while there is no more to take back than that. What a linear body loses in a step is
/// (theta - 1/2) (|dv|_M^2 + |dq|_K^2), and both squares are about as large.
double theta_for(double excess, double scale, double change) {
  const double beyond = excess - kExcess * scale;
  return beyond > 0 ? 0.5 + std::min(0.5 * beyond / change, 0.5) : 0.5;
}

/// What shakes on a slope slides a little with every shake, and nothing ends that: the true motion of a body without
/// any damping, and not what anybody means. So a body that creeps is taken by backward Euler until it lies still.
double theta_against(double creep) { return creep > 0 ? 1 : 0.5; }

/// A slide is creep when it is slower than a fall through that share of the body, or of the smallest of several [m/s].
constexpr double kCreep = 0.01;
double creeping_speed(const System& system) {
  const VectorXd rest = system.rest();
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto* pieces : {&system.free_pieces(), &system.held_pieces()})
    for (const std::vector<int>& points : *pieces) {
      Eigen::AlignedBox3d box;
      for (int i : points) box.extend(rest.segment<3>(3 * i));
      if (!box.isEmpty()) smallest = std::min(smallest, box.diagonal().norm());
    }
  return std::isfinite(smallest) ? std::sqrt(2 * system.free_fall() * kCreep * smallest) : 0;
}

}  // namespace

void GuardedMidpoint::prepare(const System& system) {
  where_ = LinearizedAt::middle;
  LinearlyImplicit::prepare(system);
  last_resort_.reset();
  potential_at_.resize(0);
  slow_ = system.contacts() ? creeping_speed(system) : 0;
  slow_energy_ = 0.5 * slow_ * slow_ * system.mass().sum() / 3;
}

GuardedMidpoint::Books GuardedMidpoint::read(const State& state) const {
  const Remembered* books = find_remembered(state.memory, kBooks);
  if (!books) return {.lowest = before_.total()};
  const VectorXd& x = books->values;
  return {x[0], std::min(x[1], before_.total()), x[2], x[3], static_cast<int>(x[4]), x[5]};
}

void GuardedMidpoint::write(const Books& books, State& old, State& state) const {
  Remembered& written = state.memory.emplace_back();
  for (Remembered& remembered : old.memory)
    if (remembered.name == kBooks) written = std::move(remembered);  // with its room
  written.name = kBooks;
  written.kind = Remembered::Kind::numbers;
  written.columns = 1;
  written.values.resize(6);
  written.values << books.excess, books.lowest, books.scale, books.change, books.pieces, books.creep;
}

GuardedMidpoint::Verdict GuardedMidpoint::try_piece(double h, double theta, Robust robust, const Books& books,
                                                    StepReport& report, Stopwatch& watch) {
  set_theta(theta);
  where_ = robust == Robust::yes ? LinearizedAt::start : LinearizedAt::middle;
  const bool done = try_step(piece_, h, robust == Robust::yes, report, watch);
  if (!done || !(next_.q.allFinite() && next_.v.allFinite())) {
    report.status = StepStatus::ok;
    return Verdict::failed;
  }
  next_.t = piece_.t + h;
  taken_ = system().has_damping() ? dissipated(piece_, h) : 0;
  taken_ += end_contacts(piece_, h);
  const Verdict verdict = judge(books);
  if (verdict != Verdict::good || tolerance_ == 0 || robust == Robust::yes) return verdict;
  report.time.other += watch.lap();
  const double error = linearization_error(piece_, h, theta);
  ++report.solves;
  report.time.solve += watch.lap();
  if (!(error > tolerance_)) return Verdict::good;
  report.extras.add(kInexact, 1);
  return Verdict::inexact;
}

GuardedMidpoint::Verdict GuardedMidpoint::judge(const Books& books) {
  const double before = whole().kinetic_energy(piece_.q, piece_.v), moving = whole().kinetic_energy(next_.q, next_.v);
  after_ = whole().potentials(next_.t, next_.q);
  const double V0 = before_.total(), V1 = after_.total();
  outside_.begin(whole(), piece_, V0, next_.t);
  const double work = outside_.until(next_, V1);
  error_ = moving + V1 - before - V0 - work + taken_;
  // What is between weight and strain moves as well, though their sum may not show it.
  const double exchanged = std::fabs(after_.elastic - before_.elastic);
  scale_ = std::max(moving, before) + std::max(V0, V1) - std::min({books.lowest, V0, V1}) + exchanged;
  const double round_off = energy_round_off_ + 1e-13 * (std::fabs(V0) + std::fabs(V1) + std::fabs(after_.elastic) +
                                                        std::fabs(work));
  if (!std::isfinite(error_)) return Verdict::failed;
  // Where there is no room left, a little may come before it is taken back, and nothing where taking back does not help,
  // as with bones, which have no strain to lose it from.
  const double left = kGain * scale_ - std::max(books.excess, 0.0);
  const double room = std::max(left, kCoarser * std::clamp(kGain * scale_ + left, 0.0, kGain * scale_));
  if (error_ > room + round_off) return Verdict::gained;
  // What swings or rolls over the ground is alive, though some of it slides slowly.
  creep_ = moving < slow_energy_ ? creep(slow_) : 0;
  if (creep_ > 0) return Verdict::good;  // it is to lose
  // A loss that the steps before have gained is none.
  const double account = std::min(books.excess + error_ + kExcess * scale_, 0.0);
  if (std::max(error_, account) < -kLoss * scale_ - round_off) return Verdict::lost;
  return Verdict::good;
}

GuardedMidpoint::Verdict GuardedMidpoint::take_last_resort(double h, const Books& books, StepReport& report,
                                                           Stopwatch& watch) {
  if (!last_resort_) {
    const StageSolverEntry& newton = find_row(stage_solvers(), "solver", "newton");
    last_resort_ = std::make_unique<ImplicitIntegrator>(backward_euler_scheme(), newton.make({}), newton.name, false);
    last_resort_->prepare(whole());
  }
  next_ = piece_;
  report.time.other += watch.lap();
  const StepReport taken = last_resort_->step(next_, h);
  watch.lap();  // it has its own
  static_cast<StepWork&>(report) += taken;
  report.dissipated = 0;
  report.reason = taken.reason;
  if (taken.status != StepStatus::ok) return Verdict::failed;
  taken_ = taken.dissipated;
  dv_ = next_.v - piece_.v;
  return judge(books);
}

void GuardedMidpoint::accept(double h, Books& books, StepReport& report) {
  report.dissipated += taken_;
  books.lowest = std::min(books.lowest, after_.total());
  books.scale = scale_;
  books.change = dv_.dot(system().mass().cwiseProduct(dv_));
  // More is forgotten: it must not come back as a buzz of a body that has come to rest.
  books.excess = std::max(books.excess + error_, -kOwed * scale_);
  books.creep = creep_;
  next_.t = piece_.t + h;
  std::swap(piece_, next_);
  before_ = after_;
}

void GuardedMidpoint::start(const State& state) {
  piece_.t = state.t;
  piece_.q = state.q;
  piece_.v = state.v;
  ContactSet::copy_memory(state, piece_);
}

StepReport GuardedMidpoint::step(State& state, double h) {
  StepReport report;
  Stopwatch watch;
  const bool same_time = potential_time_ == state.t || !whole().time_dependent();
  if (!(same_time && potential_at_.size() == state.q.size() && potential_at_ == state.q))
    before_ = whole().potentials(state.t, state.q);
  const Potentials at_start = before_;
  Books books = read(state);
  const Books books_at_start = books;
  start(state);
  int pieces = books.creep > 0 ? 1 : std::clamp(books.pieces, 1, work_), done = 0, taken = 0, most = 1;
  bool calm = true, takes = true;
  while (done < pieces) {
    const double length = h / pieces,
                 taking = std::max(theta_for(books.excess, books.scale, books.change), theta_against(books.creep)),
                 theta = takes ? taking : 0.5;
    Verdict verdict = try_piece(length, theta, Robust::no, books, report, watch);
    if (verdict == Verdict::gained && theta > 0.5) {  // what was to take energy has made some
      takes = false;
      continue;
    }
    if (verdict != Verdict::good && pieces < work_) {
      pieces *= 2;
      done *= 2;
      ++report.halvings;
      continue;
    }
    // What is gained in the smallest pieces is seldom worth a change of the rule.
    if (verdict == Verdict::gained && error_ <= kCoarser * kGain * scale_) verdict = Verdict::good;
    if (verdict == Verdict::gained || verdict == Verdict::failed) {
      report.extras.add(kEulerPieces, 1);
      verdict = try_piece(length, 1, Robust::yes, books, report, watch);
      if (verdict == Verdict::gained || verdict == Verdict::failed) {
        // Even that is not enough, as in slivers that a cut has left.
        report.extras.add(kEulerSteps, 1);
        report.dissipated = 0;
        start(state);
        before_ = at_start;
        books = books_at_start;
        if (take_last_resort(h, books, report, watch) == Verdict::failed) {
          report.status = StepStatus::diverged;
          if (report.reason.empty()) report.reason = "positions, velocities or energy are no longer finite";
          potential_at_.resize(0);
          return report;
        }
        accept(h, books, report);
        break;
      }
    }
    calm &= verdict == Verdict::good && error_ < kCoarser * kGain * scale_ && error_ > -kCoarser * kLoss * scale_;
    accept(length, books, report);
    report.extras.set(kTheta, theta);
    most = std::max(most, pieces);
    ++done;
    ++taken;
    // Back to larger pieces where they fit.
    if (calm && pieces > 1 && done % 2 == 0 && done < pieces) {
      pieces /= 2;
      done /= 2;
    }
  }
  books.pieces = calm && pieces > 1 ? pieces / 2 : pieces;
  piece_.t = potential_time_ = state.t + h;
  potential_at_ = piece_.q;
  write(books, state, piece_);
  std::swap(state, piece_);
  report.reason.clear();
  report.extras.add(kPieces, std::max(taken, 1));
  report.extras.set(kMostPieces, most);
  report.deepest_halving = static_cast<int>(std::lround(std::log2(most)));
  report.time.other += watch.lap();
  return report;
}

IntegratorEntry GuardedMidpoint::entry() {
  return {{"glim",
           "guarded linearly implicit midpoint: keeps the energy at the price of one linear solve, with smaller steps "
           "where the motion asks for them",
           {Option::integer("work", "pieces that a step may be cut into where its energy is off: a power of two")
                .with_default(32.0)
                .at_least(1)
                .at_most(1024),
            Option::number("adaptive", "",
                           "how far off a piece may be because forces are linearized, as a share of its way: what is "
                           "more is cut, for one more solve; 0 does not ask")
                .with_default(0.0)
                .at_least(0)
                .below(1),
            frame_option()}},
          [](const Options& o) {
            int work = 1;
            while (2 * work <= o.integer("work")) work *= 2;
            return std::make_unique<GuardedMidpoint>(work, frame_policy(o), o.number("adaptive"));
          },
          [](const Options&, double) { return 1.0; },
          true,
          {kPieces, kMostPieces, kEulerPieces, kEulerSteps, kInexact, kTheta},
          [](const Options& o) { return fmt::format("\"work\": {}", 4 * o.integer("work")); },
          [](const Options& o) {
            return CondensedStepping{false, frame_policy(o) == FramePolicy::automatic};
          }};
}

}  // namespace brio
