#include "brio/optimize/approximate_hessian.hpp"

#include "brio/core/stopwatch.hpp"

#include <optional>

namespace brio {
namespace {

class ProjectiveHessian : public ApproximateHessian {
 public:
  explicit ProjectiveHessian(void (StageProblem::*solve)(VectorXd&)) : solve_(solve) {}
  void bind(StageProblem& problem) override { problem.prepare_projective(); }
  bool prepare(StageProblem& problem, const VectorXd&, SolveReport& report) override {
    Stopwatch watch;
    const bool kept = problem.projective_is_current();
    const bool ok = problem.factor_projective() == FactorStatus::ok;
    if (!kept) ++report.factorizations;
    report.factor_s += watch.lap();
    return ok;
  }
  void solve(StageProblem& problem, VectorXd& x) override { (problem.*solve_)(x); }
  ProjectiveFit fit(const StageProblem& problem) const override { return problem.projective_fit(); }

 private:
  void (StageProblem::*solve_)(VectorXd&);
};

class IdentityHessian : public ApproximateHessian {
 public:
  void bind(StageProblem&) override {}
  bool prepare(StageProblem& problem, const VectorXd&, SolveReport&) override {
    const double s = problem.stage().s;
    inverse_ = s * s / problem.system().mass().mean();
    return true;
  }
  void solve(StageProblem&, VectorXd& x) override { x *= inverse_; }

 private:
  double inverse_ = 0;
};

/// A factored second derivative that is not touched by the assembly of others.
class FactoredHessian : public ApproximateHessian {
 public:
  void bind(StageProblem& problem) override { lin_ = problem.system().linearization(); }
  void solve(StageProblem&, VectorXd& x) override { lin_->solve(x); }

 protected:
  bool factor_at(StageProblem& problem, const VectorXd& y, SolveReport& report) {
    Stopwatch watch;
    const Stage& stage = problem.stage();
    lin_->assemble(stage.t, y, Psd::clamp, gradient_);
    report.assembly_s += watch.lap();
    const bool ok = lin_->factor(1 / (stage.s * stage.s), 1 / stage.c, 1) == FactorStatus::ok;
    ++report.factorizations;
    report.factor_s += watch.lap();
    return ok;
  }

 private:
  std::unique_ptr<Linearization> lin_;
  VectorXd gradient_;
};

class RestHessian : public FactoredHessian {
 public:
  void bind(StageProblem& problem) override {
    FactoredHessian::bind(problem);
    factored_.reset();
  }
  bool prepare(StageProblem& problem, const VectorXd&, SolveReport& report) override {
    if (factored_ == problem.stage().s) return true;
    factored_ = problem.stage().s;
    return factor_at(problem, problem.system().rest(), report);
  }

 private:
  std::optional<double> factored_;  ///< the s of the stage that it was factored for [s]
};

class FrameHessian : public FactoredHessian {
 public:
  bool prepare(StageProblem& problem, const VectorXd& y, SolveReport& report) override {
    return factor_at(problem, y, report);
  }
};

}  // namespace

std::unique_ptr<ApproximateHessian> projective_hessian() {
  return std::make_unique<ProjectiveHessian>(&StageProblem::solve_projective);
}
std::unique_ptr<ApproximateHessian> single_precision_projective_hessian() {
  return std::make_unique<ProjectiveHessian>(&StageProblem::solve_projective_single_precision);
}
std::unique_ptr<ApproximateHessian> identity_hessian() { return std::make_unique<IdentityHessian>(); }
std::unique_ptr<ApproximateHessian> rest_hessian() { return std::make_unique<RestHessian>(); }
std::unique_ptr<ApproximateHessian> frame_hessian() { return std::make_unique<FrameHessian>(); }

}  // namespace brio
