// The table of solvers.

#include "brio/optimize/newton.hpp"
#include "brio/optimize/quasi_newton.hpp"

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

}  // namespace

const std::vector<StageSolverEntry>& stage_solvers() {
  constexpr int kNewton = 20, kRealTime = 10, kMany = 200;
  static const std::vector<StageSolverEntry> table = {
      {{"newton", "Newton's method; a step that does not converge is halved", {}}, kNewton, false, make<Newton>},
      {{"minimize", "Newton's method with projected stiffness and a line search: slower, never uphill", {}},
       kNewton,
       false,
       make<NewtonDescent>},
      {{"newton-cg", "the same with conjugate gradients and an incomplete Cholesky factor; to compare with", {}},
       kNewton,
       false,
       [](const SolverOptions& options) {
         return std::make_unique<NewtonDescent>(options, NewtonDescent::Linear::conjugate_gradients);
       }},
      {{"quasi-newton", "L-BFGS on a constant matrix with one row per vertex, factored once: real time", {}},
       kRealTime,
       true,
       with_lbfgs(single_precision_projective_hessian)},
      {{"projective", "projective dynamics: the same constant matrix, whole steps, no memory", {}},
       kRealTime,
       true,
       [](const SolverOptions& options) {
         return std::make_unique<QuasiNewton>(options, projective_hessian(), lbfgs_direction(0), false);
       },
       "quasi-newton"},
      {{"chebyshev", "projective dynamics with a line search, accelerated with the spectral radius rho", {}},
       kRealTime,
       true,
       [](const SolverOptions& options) {
         return std::make_unique<QuasiNewton>(options, projective_hessian(), chebyshev_direction(options.rho));
       }},
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
       with_lbfgs(frame_hessian)},
  };
  return table;
}

}  // namespace brio
