#include "brio/material/materials.hpp"

#include "brio/core/error.hpp"
#include "brio/material/arap.hpp"
#include "brio/material/corotated.hpp"
#include "brio/material/fiber_laws.hpp"
#include "brio/material/mooney_rivlin.hpp"
#include "brio/material/neo_hookean.hpp"
#include "brio/material/stable_neo_hookean.hpp"
#include "brio/material/stvk.hpp"
#include "brio/material/valanis_landel.hpp"

#include <algorithm>

namespace brio {

Table<MaterialEntry>& isotropic_law_table() {
  static Table<MaterialEntry> table("isotropic law", {
                                                         arap_entry(),
                                                         corotated_entry(),
                                                         stvk_entry(),
                                                         neo_hookean_entry(),
                                                         stable_neo_hookean_entry(),
                                                         mooney_rivlin_entry(),
                                                         valanis_landel_polynomial_entry(),
                                                         valanis_landel_spline_entry(),
                                                     });
  return table;
}

Table<MaterialEntry>& fiber_law_table() {
  static Table<MaterialEntry> table("fiber law", {quadratic_fiber_entry(), stvk_fiber_entry(), fung_fiber_entry()});
  return table;
}

const std::vector<MaterialEntry>& isotropic_laws() { return isotropic_law_table().rows(); }
const std::vector<MaterialEntry>& fiber_laws() { return fiber_law_table().rows(); }

MaterialSum::MaterialSum(std::vector<std::unique_ptr<Material>> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) throw Error("a sum of materials needs at least one");
}

void MaterialSum::evaluate(const ElementBatch& in, const ElementWant& want) const {
  parts_.front()->evaluate(in, want);
  Pack psi;
  M3<Pack> P, blocks[6];
  const ElementWant part{want.psi ? &psi : nullptr, want.P ? &P : nullptr, want.blocks ? blocks : nullptr, want.psd};
  const auto add = [](M3<Pack>& to, const M3<Pack>& from) {
    for (int k = 0; k < 9; ++k) to(k / 3, k % 3) += from(k / 3, k % 3);
  };
  for (size_t m = 1; m < parts_.size(); ++m) {
    parts_[m]->evaluate(in, part);
    if (want.psi) *want.psi += psi;
    if (want.P) add(*want.P, P);
    for (int b = 0; want.blocks && b < 6; ++b) add(want.blocks[b], blocks[b]);
  }
}

double MaterialSum::reference_modulus() const {
  double stiffest = 0;
  for (const auto& part : parts_) stiffest = std::max(stiffest, part->reference_modulus());
  return stiffest;
}

double MaterialSum::projective_weight(const Vec3& ga, const Vec3& gb, const Vec3& fiber) const {
  double sum = 0;
  for (const auto& part : parts_) sum += part->projective_weight(ga, gb, fiber);
  return sum;
}

}  // namespace brio
