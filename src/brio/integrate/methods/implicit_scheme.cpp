#include "brio/integrate/methods/implicit_scheme.hpp"

#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/integrate/parts/total_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {

ImplicitIntegrator::ImplicitIntegrator(std::unique_ptr<ImplicitScheme> scheme, std::unique_ptr<StageSolver> solver,
                                       std::string solver_name, bool accept_unconverged)
    : scheme_(std::move(scheme)),
      solver_(std::move(solver)),
      solver_name_(std::move(solver_name)),
      accept_unconverged_(accept_unconverged) {}

void ImplicitIntegrator::prepare(const System& system) {
  contacts_ = ContactSet::of(system);
  problem_ = std::make_unique<StageProblem>(contacts_ ? contacts_->without_obstacles() : system, contacts_.get());
  try {
    solver_->prepare(*problem_);
  } catch (const Error& error) {
    throw Error("integrator.solver = \"{}\": {}; or take \"newton\"", solver_name_, error.what());
  }
}

void remember_acceleration(const VectorXd& a, State& state) {
  state.memory.resize(1);
  state.memory[0] = {"acceleration", Remembered::Kind::directions, 1, a};
}

/// Whether the memory is this method's, of a body of this size.
bool ImplicitIntegrator::remembers(const State& state) const {
  const auto names = scheme_->memory();
  const auto same = [](const Remembered& remembered, std::string_view name) { return remembered.name == name; };
  return std::equal(state.memory.begin(), state.memory.end(), names.begin(), names.end(), same) &&
         (names.empty() || state.memory[0].values.size() == problem_->system().dofs());
}

/// A state without this method's memory, or with that of a body of another size, starts anew.
void ImplicitIntegrator::start(State& state) {
  if (!state.memory.empty() && !remembers(state)) {
    log_warning("the integrator's memory does not fit the body (another method, or another topology); it starts anew");
    state.memory.clear();
  }
  if (!state.memory.empty() || !scheme_->starts_from_acceleration()) return;
  const System& system = problem_->system();
  VectorXd a;
  TotalForce(system).evaluate(state.t, state.q, state.v, a);
  remember_acceleration(a.cwiseQuotient(system.mass()), state);
}

StepReport ImplicitIntegrator::step_from(State& state, double h, const VectorXd& guess, const Evaluation* known) {
  StepReport report;
  Stopwatch watch;
  if (!contacts_) problem_->set_cached_evaluation(known);  // it has the obstacles in it
  Remembered springs;
  if (contacts_ && contacts_->has_friction()) {
    contacts_->read_memory(state);
    springs = ContactSet::take_memory(state);
  }
  start(state);
  trial_ = state;
  y_ = guess;
  const bool done = advance(trial_, h, 0, report);
  problem_->set_cached_evaluation(nullptr);
  if (done) {
    if (contacts_) contacts_->keep_memory(trial_);
    std::swap(state, trial_);
  } else {
    if (contacts_ && contacts_->has_friction()) state.memory.push_back(std::move(springs));
    report.status = StepStatus::diverged;
    report.reason = fmt::format("the step's equation could not be solved, not even in steps of {:.3g} s",
                                h / (1 << report.deepest_halving));
  }
  report.time.other = watch.lap() - report.time.total();
  return report;
}

/// Expects a guess of the stage in y_, and leaves the stage there.
SolveReport ImplicitIntegrator::solve_stage(StepReport& report) {
  while (true) {
    const SolveReport solved = solver_->solve(*problem_, y_);
    report.iterations += solved.iterations;
    report.factorizations += solved.factorizations;
    report.solves += solved.solves;
    report.projections += solved.projections;
    report.residual = solved.residual;
    report.time.assembly += solved.assembly_s;
    report.time.factor += solved.factor_s;
    report.time.solve += solved.solve_s;
    if (!contacts_ || !std::isfinite(solved.residual)) return solved;
    // What touches where the solver has ended, not where it looked last.
    problem_->find_end(y_, way_);
    contact_.setZero(y_.size());
    contacts_->evaluate(way_, stage_.contact, &contact_, -1);
    contact_.array() /= problem_->system().mass().array();
    if (!contacts_->revise_friction(way_)) return solved;
  }
}

/// Expects a guess of the stage in y_.
bool ImplicitIntegrator::advance(State& state, double h, int depth, StepReport& report) {
  constexpr int kDeepest = 8;  // 256 pieces: what still fails then fails for another reason than the step
  report.deepest_halving = std::max(report.deepest_halving, depth);
  scheme_->make_stage(state, h, stage_);
  problem_->set(stage_);
  if (contacts_) contacts_->begin(state, h);
  const SolveReport solved = solve_stage(report);
  if (!solved.converged) ++report.unconverged;
  if (!solved.converged && !(accept_unconverged_ && std::isfinite(solved.residual))) {
    if (depth == kDeepest) return false;
    ++report.halvings;
    const auto half = [&] {
      y_ = state.q;
      return advance(state, h / 2, depth + 1, report);
    };
    return half() && half();
  }
  if (!solved.converged && solved.undone > problem_->speed_gained(y_)) report.extras.set(kUnsolved, 1);
  problem_->velocity(y_, w_);
  way_ = -state.q;
  if (contacts_) v0_ = state.v;
  scheme_->finish(stage_, y_, w_, contact_, h, state);
  if (contacts_) report.dissipated += contacts_->end(v0_, h, stage_.contact, state);
  if (problem_->system().has_damping()) {  // at the mean velocity, which every scheme here works against
    way_ += state.q;
    problem_->linearization().multiply_damping(way_, product_);
    report.dissipated += way_.dot(product_) / h;
  }
  return state.q.allFinite() && state.v.allFinite();
}

}  // namespace brio
