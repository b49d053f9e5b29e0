#pragma once
// Eigen's products of large matrices and its decompositions are templates of many hundred lines. They are compiled once,
// in eigen_kernels.cpp; this header, with which every file of the library begins (it is precompiled), tells the compiler
// so. Programs that use the library do not include it: compiled for other instructions, they have other kernels. Products
// of a matrix and a vector are left out: their names do not tell the instructions, so that a program would bring its own
// in the place of the library's, and compiled apart from what calls them they round differently.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

// clang-format off
namespace Eigen {
namespace internal {

using BrioGemm = gebp_traits<double, double>;
using BrioResult = blas_data_mapper<double, Index, ColMajor>;
template <int order>
using BrioPart = const_blas_data_mapper<double, Index, order>;

#define BRIO_EIGEN_KERNELS(extern_or_not)                                                                              \
  extern_or_not template struct gebp_kernel<double, double, Index, BrioResult, BrioGemm::mr, BrioGemm::nr>;            \
  extern_or_not template struct gemm_pack_lhs<double, Index, BrioPart<ColMajor>, BrioGemm::mr, BrioGemm::LhsProgress,  \
                                              BrioGemm::LhsPacket4Packing, ColMajor>;                                  \
  extern_or_not template struct gemm_pack_lhs<double, Index, BrioPart<RowMajor>, BrioGemm::mr, BrioGemm::LhsProgress,  \
                                              BrioGemm::LhsPacket4Packing, RowMajor>;                                  \
  extern_or_not template struct gemm_pack_rhs<double, Index, BrioPart<ColMajor>, BrioGemm::nr, ColMajor>;              \
  extern_or_not template struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;\
  extern_or_not template struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;\
  extern_or_not template void evaluateProductBlockingSizesHeuristic<double, double, 1, Index>(Index&, Index&, Index&,  \
                                                                                              Index);                  \
  extern_or_not template void evaluateProductBlockingSizesHeuristic<double, double, 4, Index>(Index&, Index&, Index&,  \
                                                                                              Index)

BRIO_EIGEN_KERNELS(extern);

}  // namespace internal

// Of the decompositions what brio calls; as whole classes they are twice the code.
#define BRIO_EIGEN_DECOMPOSITIONS(extern_or_not)                                                                       \
  extern_or_not template LLT<MatrixXd, Lower>& LLT<MatrixXd, Lower>::compute(const EigenBase<MatrixXd>&);              \
  extern_or_not template void PartialPivLU<MatrixXd>::compute();                                                       \
  extern_or_not template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(                  \
      const EigenBase<MatrixXd>&, int);                                                                                \
  extern_or_not template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::computeFromTridiagonal(   \
      const VectorXd&, const VectorXd&, int);                                                                          \
  extern_or_not template SelfAdjointEigenSolver<Matrix3d>& SelfAdjointEigenSolver<Matrix3d>::compute(                  \
      const EigenBase<Matrix3d>&, int)

BRIO_EIGEN_DECOMPOSITIONS(extern);

}  // namespace Eigen
// clang-format on
