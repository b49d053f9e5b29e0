#pragma once
// Backtracking: a step along a direction of descent is halved until the objective has fallen enough (Armijo).

#include "brio/optimize/stage_problem.hpp"

namespace brio {

/// Moves y along the direction, whose slope (gradient . direction) is negative. Returns the part of it that was taken,
/// 0 when no part is short enough. `trial` is room to work in.
double search_line(StageProblem& problem, const VectorXd& direction, double slope, VectorXd& y, VectorXd& trial);

}  // namespace brio
