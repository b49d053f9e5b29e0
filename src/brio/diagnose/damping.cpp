#include "brio/diagnose/damping.hpp"

#include "brio/core/error.hpp"
#include "brio/core/method_text.hpp"
#include "brio/integrate/parts/amplification.hpp"
#include "brio/linalg/dense.hpp"
#include "brio/system/oscillator.hpp"

#include <Eigen/SVD>
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <limits>

namespace brio {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A value as its option wants it: numbers and switches are read, everything else is text.
OptionValue option_value(const Option& option, const std::string& text, const std::string& where) {
  if (option.kind == Option::Kind::boolean && (text == "true" || text == "false")) return text == "true";
  if (option.kind != Option::Kind::number && option.kind != Option::Kind::integer) return text;
  size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != text.size()) throw Error("{} = {}: expected {}", where, text, option.expected());
  return value;
}

/// The steps Y_1, Y_2 … of a start in q and of one in v: the rows are omega q and v, the columns the two starts (which
/// the oscillator's x and y carry side by side), relative to the start. Empty when a step fails.
std::vector<Eigen::Matrix2d> responses(const Method& method, double h, double h_omega, int steps) {
  // The oscillator is linear, so any speed will do; this one is so great that the absolute tolerances of implicit
  // methods are at the level of round-off.
  constexpr double kSpeed = 1e6;  // [m/s]
  const double omega = h_omega / h;
  const NodalSystem system = oscillator(omega);
  const std::unique_ptr<Integrator> integrator = method.make();
  integrator->prepare(system);
  State state{0, Vec3(kSpeed / omega, 0, 0), Vec3(0, kSpeed, 0), {}};
  std::vector<Eigen::Matrix2d> found;
  for (int i = 0; i < steps; ++i) {
    if (integrator->step(state, h).status != StepStatus::ok) return {};
    Eigen::Matrix2d Y;
    Y << omega * state.q[0], omega * state.q[1], state.v[0], state.v[1];
    found.push_back(Y / kSpeed);
  }
  return found;
}

}  // namespace

Method parse_method(const std::string& text) {
  const MethodText method = parse_method_text(text);
  const IntegratorEntry& row = find_row(integrators(), "integrator", method.name);
  std::map<std::string, OptionValue> given;
  for (const auto& [key, value] : method.values) {
    std::vector<std::string> known;
    for (const Option& option : row.options) known.push_back(option.key);
    const auto option =
        std::find_if(row.options.begin(), row.options.end(), [&key = key](const Option& o) { return o.key == key; });
    if (option == row.options.end()) throw_unknown("option of " + row.name, key, known);
    given[key] = option_value(*option, value, row.name + "." + key);
  }
  return {text, &row, Options(row.options, given, row.name)};
}

/// Ho and Kalman's realization: whatever its memory, a linear method has Y_n = C A^n B, and the block Hankel matrices
/// of the Y_n give A up to a change of basis. Three block rows and columns serve up to six numbers of memory.
double measured_amplification(const Method& method, double h, double h_omega) {
  constexpr int kBlocks = 3;
  constexpr double kNoise = 1e-9;  // singular values below this part of the largest are round-off
  const std::vector<Eigen::Matrix2d> Y = responses(method, h, h_omega, 2 * kBlocks);
  if (Y.empty()) return kNone;
  MatrixXd now(2 * kBlocks, 2 * kBlocks), next(2 * kBlocks, 2 * kBlocks);
  for (int i = 0; i < kBlocks; ++i)
    for (int j = 0; j < kBlocks; ++j) {
      now.block<2, 2>(2 * i, 2 * j) = Y[i + j];
      next.block<2, 2>(2 * i, 2 * j) = Y[i + j + 1];
    }
  // (The matrix is square, which needs no QR decomposition first.)
  const Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner> svd(now, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Index rank = (svd.singularValues().array() > kNoise * svd.singularValues()[0]).count();
  if (rank == 0) return 0;
  const VectorXd scale = svd.singularValues().head(rank).cwiseSqrt().cwiseInverse();
  const MatrixXd A = scale.asDiagonal() * svd.matrixU().leftCols(rank).transpose() * next *
                     svd.matrixV().leftCols(rank) * scale.asDiagonal();
  return spectral_radius(A);
}

double closed_form_amplification(const Method& method, double h_omega) {
  return method.row->amplification ? method.row->amplification(method.options, h_omega) : kNone;
}

double damping_over_omega(double rho, double h_omega) { return damping_rate(rho, h_omega); }

OscillatorRun step_oscillator(const Method& method, double omega, double d, double h, int steps) {
  const NodalSystem system = oscillator(omega, 1, {d, 0, true});
  const std::unique_ptr<Integrator> integrator = method.make();
  integrator->prepare(system);
  State state{0, Vec3::Zero(), Vec3(1, 0, 0), {}};
  OscillatorRun run{{0}, {0}};
  for (int i = 1; i <= steps; ++i) {
    if (integrator->step(state, h).status != StepStatus::ok) break;
    run.t.push_back(i * h);
    run.q.push_back(state.q[0]);
  }
  return run;
}

OscillatorRun exact_oscillator(double omega, double d, double duration, int samples) {
  // With lambda = -d/2 +- r, q = exp(-d t / 2) sinh(r t) / r; r is imaginary for d < 2 omega.
  const std::complex<double> r = std::sqrt(std::complex<double>(d * d / 4 - omega * omega));
  OscillatorRun run;
  for (int i = 0; i < samples; ++i) {
    const double t = duration * i / (samples - 1);
    const std::complex<double> swing = std::abs(r) * t < 1e-8 ? t : std::sinh(r * t) / r;
    run.t.push_back(t);
    run.q.push_back(std::exp(-d * t / 2) * swing.real());
  }
  return run;
}

}  // namespace brio
