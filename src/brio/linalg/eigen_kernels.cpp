#include "brio/linalg/eigen_kernels.hpp"

namespace Eigen {
namespace internal {

BRIO_EIGEN_KERNELS();

}  // namespace internal

BRIO_EIGEN_DECOMPOSITIONS();

}  // namespace Eigen
