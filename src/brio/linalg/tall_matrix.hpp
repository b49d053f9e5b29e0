#pragma once
// Products with matrices that are tall and narrow, such as bases of a subspace: parallel over the rows, without
// allocation once `work` has grown, and with the same bits for any number of threads.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

/// C = Q^T X; C has Q.cols() rows and X.cols() columns.
void tall_inner(const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> C,
                std::vector<double>& work);

/// X = Q C, or X += Q C when `add`.
void tall_combine(const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> X,
                  bool add = false);

}  // namespace brio
