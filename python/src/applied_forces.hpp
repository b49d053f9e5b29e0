#pragma once
// Forces on vertices that somebody outside of brio sets between steps. Their work is booked as injected, as that of any
// load.

#include "brio/system/load.hpp"

#include <memory>

namespace brio::python {

class AppliedForces : public Load {
 public:
  static constexpr const char* kName = "applied";

  explicit AppliedForces(Index vertices)
      : forces_(std::make_shared<MatrixX3d>(MatrixX3d::Zero(vertices, 3))) {}
  void add(double, const VectorXd&, const VectorXd&, VectorXd& f) const override {
    f += Eigen::Map<const VectorXd>(forces_->data(), forces_->size());
  }
  const std::shared_ptr<MatrixX3d>& forces() const { return forces_; }  ///< of all vertices [N]
  /// Those of before, where somebody looks at them.
  void set_forces(std::shared_ptr<MatrixX3d> forces) { forces_ = std::move(forces); }

 private:
  std::shared_ptr<MatrixX3d> forces_;
};

}  // namespace brio::python
