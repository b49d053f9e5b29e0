#pragma once
// Energy of the springs and limits in the joints of one body's bones, as an energy of the bones' points. The bones are
// rigid, so that it has second derivatives by the joints' coordinates only (system/bone_chart.hpp), not by those of points.

#include "brio/energy/energy.hpp"
#include "brio/rigid/bone_points.hpp"

namespace brio {

class JointEnergy : public Energy {
 public:
  explicit JointEnergy(std::shared_ptr<const BonePoints> points)
      : JointEnergy(points, points->skeleton().all_bones()) {}
  /// Only the joints of some of the skeleton's bones.
  JointEnergy(std::shared_ptr<const BonePoints> points, std::vector<int> bones)
      : Energy(Ledger::elastic), points_(std::move(points)), bones_(std::move(bones)) {}
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  bool has_hessian() const override { return false; }
  void add_couplings(std::vector<std::pair<int, int>>&) const override {}
  void attach(const BlockLayout&) override {}
  bool time_dependent() const override { return false; }
  bool internal() const override { return false; }
  void add_held(std::vector<int>&) const override {}

 private:
  std::shared_ptr<const BonePoints> points_;
  std::vector<int> bones_;
};

}  // namespace brio
