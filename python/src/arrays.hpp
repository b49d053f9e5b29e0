#pragma once
// NumPy arrays made of brio's matrices: copies, and views that keep the memory they look at alive.

#include "brio/core/types.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

namespace brio::python {

namespace py = pybind11;

/// A copy, with the shape of the matrix; a vector has one dimension.
template <class Matrix>
auto copied(const Matrix& matrix) {
  using Scalar = typename Matrix::Scalar;
  if constexpr (Matrix::ColsAtCompileTime == 1) {
    return py::array_t<Scalar>(matrix.size(), matrix.data());
  } else {
    static_assert(Matrix::IsRowMajor, "NumPy's own order");
    return py::array_t<Scalar>({matrix.rows(), matrix.cols()}, matrix.data());
  }
}

inline py::array_t<int> copied(const std::vector<int>& list) {
  return py::array_t<int>(static_cast<py::ssize_t>(list.size()), list.data());
}

/// A view whose base owns a share of the memory, so that it never dangles.
inline py::array_t<double> view_of(const std::shared_ptr<MatrixX3d>& rows, bool writable) {
  const py::capsule owner(new std::shared_ptr<MatrixX3d>(rows),
                          [](void* share) { delete static_cast<std::shared_ptr<MatrixX3d>*>(share); });
  py::array_t<double> view({rows->rows(), Index{3}}, rows->data(), owner);
  if (!writable) py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

/// Contiguous rows of three, which Python has checked and converted.
using Rows = py::array_t<double, py::array::c_style>;

inline MatrixX3d matrix_of(const Rows& rows) {
  return Eigen::Map<const MatrixX3d>(rows.data(), rows.shape(0), 3);
}

}  // namespace brio::python
