#pragma once
// Limited-memory BFGS (Nocedal and Wright 2006, section 7.2; [QN] algorithm 2): the last few steps and
// changes of the gradient correct a matrix that is only roughly the second derivative.
//
// With B the inverse of that matrix, every vector of the recursion is a combination of the solutions p_j = B g_j: a
// step is a multiple of a direction, a direction is a combination of them, and B times a change of the gradient is the
// difference of two. So the recursion runs on the weights of these combinations and on the scalar products p_i . g_j,
// of which an iteration brings one new row (in the way of Chen, Wang and Zhou 2014, who spare a cluster its traffic).
// An iteration is then two passes over the solutions: one for the scalar products, one for the new direction. They are
// kept in single precision, for they only correct a direction, and half as much has to be read. (The gradients are
// taken as they come: where a load changes with the positions, its change is in the curvature, too.)

#include "brio/core/types.hpp"

#include <algorithm>

namespace brio {

class Lbfgs {
 public:
  /// `scaled`: B is only right up to a factor, which the newest step tells ([QN] eq. 13).
  explicit Lbfgs(int window, bool scaled = false);

  void clear();
  /// Sets d = -H g, given the gradient g and p = B g, and returns g . d. Steps without positive curvature are passed
  /// over: they would make H indefinite.
  double find_direction(const VectorXd& g, const VectorXd& p, VectorXd& d);
  /// The last direction was followed for this part of its length. Without this call it is forgotten.
  void took(double length);

 private:
  using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;

  int slot(int iteration) const { return iteration % (window_ + 1); }
  int oldest() const { return std::max(0, iteration_ - window_); }
  void make_room();
  void add_solution(const VectorXd& g, const VectorXd& p);
  void find_weights();
  void combine(VectorXd& d);

  const int window_, capacity_;
  const bool scaled_;
  int iteration_ = 0;
  int used_ = 0;               ///< columns
  bool pending_ = false;       ///< the last direction has not been followed yet
  FloatMatrix columns_;        ///< what directions are combined of: solutions, and directions after make_room()
  MatrixXd products_;          ///< of the columns with the last window + 1 gradients, a ring like all below
  FloatMatrix spare_columns_;  ///< for make_room(), which short solves never need
  MatrixXd spare_products_;
  Eigen::VectorXi solution_;                            ///< the column that belongs to each gradient
  MatrixXd weights_;                                    ///< of the columns in each direction
  VectorXd length_;                                     ///< the part that was followed of each direction
  VectorXd of_gradients_, curvature_, zeta_, along_q_;  ///< of the recursion
  MatrixXd partial_;                                    ///< scalar products over each chunk of rows
};

}  // namespace brio
