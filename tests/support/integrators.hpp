#pragma once
// Integrators by name, as a scene would make them.

#include "brio/integrate/integrator.hpp"

namespace brio::testing {

inline std::unique_ptr<Integrator> integrator(const std::string& name,
                                              const std::map<std::string, OptionValue>& options = {}) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", name);
  return row.make(Options(row.options, options, name));
}

/// As `integrator`, with the implicit ones solved far more tightly than usual, so that only the method's own error is
/// seen.
inline std::unique_ptr<Integrator> tight_integrator(const std::string& name,
                                                    std::map<std::string, OptionValue> options = {}) {
  for (const Option& option : find_row(integrators(), "integrator", name).options) {
    if (option.key == "tolerance") options["tolerance"] = 1e-12;
  }
  return integrator(name, options);
}

}  // namespace brio::testing
