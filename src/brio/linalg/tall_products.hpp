#pragma once
// Products of tall, thin matrices (many rows, few columns): in parallel, with the same bits for any number of threads,
// and without allocation once the scratch is there.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

/// G = X^T Y, where X and Y have as many rows as the body has degrees of freedom. G has its size already.
void multiply_transposed(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& Y,
                         Eigen::Ref<MatrixXd> G, std::vector<double>& scratch);
/// The same for a G that takes the size it needs.
void multiply_transposed(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& Y, MatrixXd& G,
                         std::vector<double>& scratch);
/// G = X^T diag(w) X for as many weights as rows, a part of which at a time is weighted: G takes the size it needs.
void multiply_weighted(const Eigen::Ref<const MatrixXd>& X, const VectorXd& w, MatrixXd& G,
                       std::vector<double>& scratch);
/// Room in `scratch` for a G of up to `size` numbers.
void reserve_scratch(Index size, std::vector<double>& scratch);

/// Y = X C with a small C. Y has its size already and is another matrix than X.
void multiply_tall(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> Y);
/// Y += X C
void add_tall(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> Y);

/// a . b
double parallel_dot(const VectorXd& a, const VectorXd& b);

}  // namespace brio
