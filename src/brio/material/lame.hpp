#pragma once
// The two constants of small-strain isotropic elasticity, which most laws start from.

#include "brio/core/options.hpp"

namespace brio {

struct Lame {
  double mu;      ///< shear modulus [Pa]
  double lambda;  ///< first Lame constant [Pa]
};

/// From Young's modulus [Pa] and Poisson's ratio.
Lame lame_from(double E, double nu);
double young_modulus(const Lame& k);  ///< [Pa]

/// The options E and nu, or mu and lambda; laws that need lambda >= 0 pass least_nu = 0.
std::vector<Option> lame_options(double least_nu = -1);
/// Throws Error unless exactly one of the two pairs is given, with a positive bulk modulus.
Lame lame_constants(const Options& options);

/// Throws Error unless the options of exactly one of the two sets are given, all of them; true when it is the first.
bool uses_first_set(const Options& options, const std::vector<std::string>& first,
                    const std::vector<std::string>& second);

}  // namespace brio
