// The table of solvers.

#include "brio/optimize/newton.hpp"
#include "brio/optimize/quasi_newton.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

template <class Solver>
std::unique_ptr<StageSolver> make(const SolverOptions& options) {
  return std::make_unique<Solver>(options);
}

auto with_lbfgs(std::unique_ptr<ApproximateHessian> (*hessian)(), bool scaled = false) {
  return [hessian, scaled](const SolverOptions& options) {
    return std::make_unique<QuasiNewton>(options, hessian(), lbfgs_direction(options.window, scaled));
  };
}

std::string about_iterations(const ProjectiveFit& fit, const SolverOptions& options) {
  constexpr int kMany = 40;  // an iteration costs about a tenth of one of Newton's, of which three or four do
  const int needed = iterations_needed(fit);
  if (!options.more_iterations && 2 * options.iterations < needed)
    return fmt::format(
        "{} iterations a step are too few for a material that resists a change of volume {:.2g} times as much as one "
        "of "
        "shape: steps stay far from solved. Leave out \"iterations\" (it takes {} then), or take \"newton\"",
        options.iterations, 1 / fit.least, needed);
  if (options.more_iterations && needed > kMany)
    return fmt::format(
        "a material resists a change of volume {:.2g} times as much as one of shape, so that a step takes {} "
        "iterations; "
        "\"newton\" is quicker",
        1 / fit.least, needed);
  return "";
}

/// Whole steps with a matrix go too far where the true one is more than twice as stiff.
std::string about_overshoot(const ProjectiveFit& fit, const SolverOptions&) {
  if (fit.most <= 2) return "";
  return fmt::format(
      "a material resists a change of volume {:.3g} times as much as the constant matrix does; beyond 2 (nu above 1/3 "
      "for the corotated law) whole steps overshoot, and the run may get lost. Take \"quasi-newton\"",
      fit.most);
}

}  // namespace

const std::vector<StageSolverEntry>& stage_solvers() {
  constexpr int kNewton = 20, kRealTime = 10, kMany = 200;
  static const std::vector<StageSolverEntry> table = {
      {{"newton", "Newton's method; a step that does not converge is halved", {}},
       kNewton,
       false,
       make<Newton>,
       "",
       {},
       true},
      {{"minimize", "Newton's method with projected stiffness and a line search: slower, never uphill", {}},
       kNewton,
       false,
       make<NewtonDescent>,
       "",
       {},
       true},
      {{"newton-cg", "the same with conjugate gradients and an incomplete Cholesky factor; to compare with", {}},
       kNewton,
       false,
       [](const SolverOptions& options) {
         return std::make_unique<NewtonDescent>(options, NewtonDescent::Linear::conjugate_gradients);
       }},
      {{"quasi-newton", "L-BFGS on a constant matrix with one row per vertex, factored once: real time", {}},
       kRealTime,
       true,
       with_lbfgs(single_precision_projective_hessian),
       "",
       about_iterations},
      {{"projective", "projective dynamics: the same constant matrix, whole steps, no memory", {}},
       kRealTime,
       true,
       [](const SolverOptions& options) {
         return std::make_unique<QuasiNewton>(options, projective_hessian(), lbfgs_direction(0), false);
       },
       "quasi-newton",
       about_overshoot},
      {{"chebyshev", "projective dynamics with a line search, accelerated with the spectral radius rho", {}},
       kRealTime,
       true,
       [](const SolverOptions& options) {
         return std::make_unique<QuasiNewton>(options, projective_hessian(), chebyshev_direction(options.rho));
       },
       "",
       about_iterations},
      {{"lbfgs", "L-BFGS that starts from a multiple of the identity; to compare with", {}},
       kMany,
       true,
       with_lbfgs(identity_hessian, true)},
      {{"rest-hessian", "L-BFGS on the second derivative at rest, factored once; to compare with", {}},
       kRealTime,
       true,
       with_lbfgs(rest_hessian)},
      {{"frame-hessian", "L-BFGS on the second derivative at the beginning of the step", {}},
       kRealTime,
       true,
       with_lbfgs(frame_hessian),
       "",
       {},
       true},
  };
  return table;
}

}  // namespace brio
