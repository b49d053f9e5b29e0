#pragma once
// Vibration modes K U = M U Lambda, U^T M U = I, slowest first: found cold with Spectra (shift and invert), or followed
// from one step to the next by block iteration with a factor that is there anyway.

#include "brio/system/system.hpp"

#include <optional>
#include <string>

namespace brio {

/// The `count` modes with the smallest lambda of the stiffness that `lin` has assembled. Factors K + shift M, so that
/// lambda > -shift is needed [1/s^2]. Trouble when they do not converge, and when so many are asked of a large body
/// that a dense matrix would be needed. Throws Error when the body has fewer.
FoundModes find_modes(Linearization& lin, const VectorXd& mass, int count, double shift);

/// The slowest modes with the rigid motions of free pieces (lambda = 0, six a piece) counted apart: those, `count`
/// elastic modes and `more` behind them, or as many as the body has.
struct ElasticModes : FoundModes {
  int rigid = 0;  ///< how many of them are rigid motions
};
ElasticModes find_elastic_modes(Linearization& lin, const VectorXd& mass, int count, int more, double shift);

/// How many of the modes of the assembled stiffness are rigid motions: their lambda is 0 beside the largest of these.
int count_rigid(const Linearization& lin, const VectorXd& mass, const Eigen::Ref<const VectorXd>& lambda);

/// The least of a few shifts with which K + shift M can be factored: for finding modes well, not far above the slowest.
/// Nothing where none will do: the stiffness is zero or not finite, or the shape is far from stable.
std::optional<double> least_shift(Linearization& lin, const VectorXd& mass);

/// The largest omega of K u = omega^2 M u by Lanczos' method, from below and within a few percent [rad/s]; 0 where the
/// stiffness is not finite.
double fastest_vibration(const Linearization& lin, const VectorXd& mass);

/// Rayleigh-Ritz on K and M in the span of W's columns (overwritten): the best `count` modes there. False where the
/// columns span no space of that many dimensions.
bool ritz_modes(const Linearization& lin, const VectorXd& mass, MatrixXd& W, int count, Modes& modes);

/// Largest |K u - lambda M u| over the first `count` modes, relative to (lambda + reference) |M u|.
double mode_residual(const Linearization& lin, const VectorXd& mass, const Modes& modes, int count, double reference);

}  // namespace brio
