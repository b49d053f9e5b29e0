#include "brio/material/lame.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"


#include <algorithm>

namespace brio {

Lame lame_from(double E, double nu) { return {E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))}; }

double young_modulus(const Lame& k) { return k.mu * (3 * k.lambda + 2 * k.mu) / (k.lambda + k.mu); }

std::vector<Option> lame_options(double least_nu) {
  Option nu = Option::number("nu", "", "Poisson's ratio, with E").optional().below(0.5);
  Option lambda = Option::number("lambda", "Pa", "first Lame constant, with mu instead of E and nu").optional();
  if (least_nu < 0) {
    nu = std::move(nu).above(least_nu);
  } else {
    nu = std::move(nu).at_least(least_nu);
    lambda = std::move(lambda).at_least(0);
  }
  return {Option::number("E", "Pa", "Young's modulus").optional().above(0), nu,
          Option::number("mu", "Pa", "shear modulus, with lambda instead of E and nu").optional().above(0), lambda};
}

Lame lame_constants(const Options& options) {
  if (uses_first_set(options, {"E", "nu"}, {"mu", "lambda"})) {
    return lame_from(options.number("E"), options.number("nu"));
  }
  const Lame k{options.number("mu"), options.number("lambda")};
  if (3 * k.lambda + 2 * k.mu <= 0) {
    throw Error("lambda = {}: must be > -2/3 mu = {}, or the material gains energy when squeezed", k.lambda,
                -2 * k.mu / 3);
  }
  return k;
}

bool uses_first_set(const Options& options, const std::vector<std::string>& first,
                    const std::vector<std::string>& second) {
  const auto given = [&](const std::string& key) { return options.has(key); };
  const auto whole = [&](const auto& keys) { return std::all_of(keys.begin(), keys.end(), given); };
  const auto part = [&](const auto& keys) { return std::any_of(keys.begin(), keys.end(), given); };
  if (whole(first) && !part(second)) return true;
  if (whole(second) && !part(first)) return false;
  throw Error("give either {} or {}: all of one and none of the other", joined(first, ", "),
              joined(second, ", "));
}

}  // namespace brio
