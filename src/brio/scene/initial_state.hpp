#pragma once
// Where bodies start from and how fast: stretched, twisted, shaken up, thrown or spinning.

#include "brio/scene/scene.hpp"

namespace brio {

/// Changes the positions of a body's vertices from those at rest to those at the start, and gives them velocities.
void begin_body(const InitialSpec& initial, const VectorXd& mass, MatrixX3d& x, MatrixX3d& u);

}  // namespace brio
