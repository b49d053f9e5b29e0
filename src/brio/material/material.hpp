#pragma once
// The interface of constitutive laws, which are evaluated for eight elements at a time. Isotropic laws are written in
// principal stretches and fiber laws in the stretch along the fiber; adapters turn either into this interface.

#include "brio/core/projective_fit.hpp"
#include "brio/core/small.hpp"
#include "brio/core/types.hpp"

namespace brio {

/// The deformation of eight elements.
struct ElementBatch {
  M3<Pack> F;      ///< deformation gradient
  V3<Pack> fiber;  ///< unit fiber direction at rest, or zero where there is no fiber
  V3<Pack> g[3];   ///< rest gradients of the shape functions of local vertices 0, 1, 2 [1/m]; only read for stiffness
};

/// What is wanted and where it goes; a null pointer means "not wanted". Results are overwritten, per unit rest volume.
struct ElementWant {
  Pack* psi = nullptr;         ///< energy density [J/m^3]
  M3<Pack>* P = nullptr;       ///< first Piola-Kirchhoff stress [Pa]
  M3<Pack>* blocks = nullptr;  ///< six 3x3 blocks K_ab = d2psi/(dx_a dx_b) for (a,b) = 00, 11, 22, 01, 02, 12
  Psd psd = Psd::none;
  /// Stiffness from F itself, where a law can give it so: no singular values, a third of the time, and rounded otherwise.
  bool closed_form = false;
};

class Material {
 public:
  virtual ~Material() = default;
  /// Energy density, stress and stiffness of eight elements, each where it is wanted.
  virtual void evaluate(const ElementBatch& in, const ElementWant& want) const = 0;
  /// A reference stiffness: Young's modulus, or the nearest equivalent [Pa].
  virtual double reference_modulus() const = 0;
  /// The constant approximation of the stiffness between two vertices with rest gradients ga and gb [1/m]: the same
  /// number for each coordinate, per unit rest volume ([QN] eq. 11; its w_i G_i^T G_i) [N/m^4].
  virtual double projective_weight(const Vec3& ga, const Vec3& gb, const Vec3& fiber) const = 0;
  virtual ProjectiveFit projective_fit() const { return {}; }
};

}  // namespace brio
