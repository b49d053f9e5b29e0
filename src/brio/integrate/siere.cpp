#include "brio/integrate/siere.hpp"

#include "brio/core/error.hpp"
#include "brio/integrate/modal_step.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kGuards = 3;       // modes followed beyond those that are used, so that the last ones converge as well
constexpr int kMostRigid = 6;    // of one free piece
constexpr double kRigid = 1e-6;  // lambda of a rigid motion against that of the fastest mode found

}  // namespace

/// Rigid motions of a free body have lambda = 0; they are carried along and not counted.
void Siere::find_modes_anew(double h, StepReport& report) {
  const Index n = system().dofs(), pieces = static_cast<Index>(system().free_pieces().size());
  const Index most_rigid = kMostRigid * std::max<Index>(1, pieces);
  modes_ = find_modes(linearization(), system().mass(),
                      static_cast<int>(std::min<Index>(n, count_ + most_rigid + kGuards)), 1 / (h * h));
  linearization().factor(1, h, beta_ * h * h);  // the search has put its own factor in place of the step's
  report.factorizations += 2;
  const double fastest = modes_.lambda.cwiseAbs().maxCoeff();
  rigid_ = static_cast<int>((modes_.lambda.array().abs() < kRigid * fastest).count());
  const Index followed = std::min<Index>(modes_.lambda.size(), count_ + rigid_ + kGuards);
  modes_.U.conservativeResize(Eigen::NoChange, followed);
  modes_.lambda.conservativeResize(followed);
}

void Siere::follow_modes(const State& state, double h, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  const bool known =
      state.memory.size() == 2 && state.memory[0].size() % mass.size() == 0 && state.memory[1].size() == 1;
  report.time.other += watch.lap();
  if (known) {
    // One block iteration A^-1 M U with the factor that is there, then the best modes in that space.
    const Eigen::Map<const MatrixXd> last(state.memory[0].data(), mass.size(), state.memory[0].size() / mass.size());
    rigid_ = static_cast<int>(state.memory[1][0]);
    block_.noalias() = mass.asDiagonal() * last;
    linearization().solve(block_);
    report.solves += static_cast<int>(last.cols());
    report.time.solve += watch.lap();
    ritz_modes(linearization(), mass, block_, static_cast<int>(last.cols()), modes_);
  } else {
    find_modes_anew(h, report);
    report.time.solve += watch.lap();
  }
  next_.memory[0] = modes_.U.reshaped();
  next_.memory[1].setConstant(1, rigid_);
}

void Siere::update(const State& state, double h, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  if (count_ > 0) {
    try {
      follow_modes(state, h, report, watch);
    } catch (const Error& error) {  // numerical trouble in a step is a status
      report.status = StepStatus::diverged;
      report.reason = error.what();
      return;
    }
  } else {
    modes_.U.resize(mass.size(), 0);
  }
  const int used = static_cast<int>(std::min<Index>(count_ + rigid_, modes_.U.cols()));
  const auto U = modes_.U.leftCols(used);
  const VectorXd a = U.transpose() * mass.cwiseProduct(velocity_), b = U.transpose() * force_;
  // The deflated step: what lies outside the modes, and only that, goes through the implicit solve.
  v_rest_ = velocity_ - U * a;
  f_rest_ = force_ - mass.cwiseProduct(U * b);
  solve_increment(v_rest_, f_rest_, h, dv_, report, watch);
  dq_ = h * (v_rest_ + dv_);
  for (int i = 0; i < used; ++i) {
    double d = 0;
    if (system().has_damping()) {
      mode_ = U.col(i);
      linearization().multiply_damping(mode_, product_);
      d = mode_.dot(product_);
    }
    const ModeStep step = exponential_step({modes_.lambda[i], d, a[i], b[i]}, h);
    dq_ += step.dq * U.col(i);
    dv_ += step.dv * U.col(i);
  }
}

IntegratorEntry Siere::entry() {
  return {{"siere",
           "linearly implicit Euler with the slowest modes carried exactly",
           {Option::integer("modes", "how many modes are carried exactly; 0 is si")
                .with_default(5.0)
                .at_least(0)
                .at_most(1000),
            psd_option(), frame_option()}},
          [](const Options& o) { return std::make_unique<Siere>(o.integer("modes"), psd_policy(o), frame_policy(o)); },
          [](const Options& o, double z) { return o.integer("modes") > 0 ? 1.0 : 1 / std::sqrt(1 + z * z); }};
}

}  // namespace brio
