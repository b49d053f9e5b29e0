#pragma once
// A row of the tables of constitutive laws.

#include "brio/core/options.hpp"
#include "brio/material/material.hpp"

#include <functional>
#include <memory>

namespace brio {

struct MaterialEntry : Entry {
  /// Throws Error where values that are fine one by one do not go together.
  std::function<std::unique_ptr<Material>(const Options&)> make;
};

}  // namespace brio
