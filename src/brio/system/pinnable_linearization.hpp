#pragma once
// What condensation asks of a linearization: solves in which part of the coordinates stays where it is.

#include "brio/system/system.hpp"

namespace brio {

/// A linearization in which points can be pinned: three coordinates each, those of points first. Coordinates that
/// belong to no point, as those of joints, come last and are always pinned together with the points.
class PinnableLinearization : public Linearization {
 public:
  /// The point of a vertex, -1 where it does not move by itself.
  virtual int point_of(int vertex) const = 0;
  /// How many coordinates belong to no point.
  virtual Index joint_dofs() const = 0;
  /// Factors K + shift * M with the rows and columns of what is pinned replaced by those of the identity, on the
  /// pattern of the whole ([CONJAC] eq. 21): solve() then returns what is given there, and other points may be pinned
  /// the next time without a new analysis. K is left as it was.
  virtual FactorStatus factor_pinned(const std::vector<int>& pinned, double shift) = 0;
  /// Takes the columns of K that belong to what is pinned from those of X, a column each.
  virtual void subtract_columns(const std::vector<int>& pinned, Eigen::Ref<MatrixXd> X) const = 0;
  /// The rows of K X that belong to what is pinned.
  virtual void multiply_rows(const std::vector<int>& pinned, const Eigen::Ref<const MatrixXd>& X,
                             MatrixXd& rows) const = 0;
};

}  // namespace brio
