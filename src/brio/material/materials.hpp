#pragma once
// The tables of constitutive laws, and how laws are combined.

#include "brio/core/table.hpp"
#include "brio/material/entry.hpp"

namespace brio {

/// Isotropic laws; every element has one.
const std::vector<MaterialEntry>& isotropic_laws();
Table<MaterialEntry>& isotropic_law_table();  ///< the same, to add rows to
/// Laws of the stretch along an element's fiber, added to its isotropic law.
const std::vector<MaterialEntry>& fiber_laws();
Table<MaterialEntry>& fiber_law_table();  ///< the same, to add rows to

/// The sum of several laws in the same element.
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
