#pragma once
// Linear and angular momentum of the pieces of a body, and velocities changed by rigid motions until they have it.

#include "brio/diagnose/momentum.hpp"

#include <vector>

namespace brio {

using PieceMomenta = std::vector<Momentum>;

/// piece: of each vertex, 0 …, or -1 for a vertex of none.
PieceMomenta piece_momenta(const VectorXi& piece, const VectorXd& mass, const MatrixX3d& x, const MatrixX3d& u);

/// Adds a rigid motion to the free vertices of each piece so that the piece has the given momenta.
void restore_momenta(const PieceMomenta& wanted, const VectorXi& piece, const VectorXd& mass,
                     const std::vector<char>& free, const MatrixX3d& x, MatrixX3d& u);

}  // namespace brio
