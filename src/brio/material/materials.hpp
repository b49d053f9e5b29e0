#pragma once
// The tables of constitutive laws, and how laws are combined.

#include "brio/material/entry.hpp"

namespace brio {

/// Laws that answer alike in every direction; an element needs one.
const std::vector<MaterialEntry>& isotropic_laws();
/// Laws along the element's fiber, to be added to an isotropic one.
const std::vector<MaterialEntry>& fiber_laws();

/// Several laws acting side by side in the same element.
class MaterialSum : public Material {
 public:
  /// Throws Error for an empty list.
  explicit MaterialSum(std::vector<std::unique_ptr<Material>> parts);
  void evaluate(const ElementBatch& in, const ElementWant& want) const override;
  double reference_modulus() const override;  ///< that of the stiffest part
  double projective_weight(const Vec3& ga, const Vec3& gb, const Vec3& fiber) const override;

 private:
  std::vector<std::unique_ptr<Material>> parts_;
};

}  // namespace brio
