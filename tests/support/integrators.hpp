#pragma once
// Integrators by name, as a scene would make them.

#include "brio/integrate/integrator.hpp"

namespace brio::testing {

std::unique_ptr<Integrator> integrator(const std::string& name, const std::map<std::string, OptionValue>& options = {});

/// As `integrator`, with the implicit ones solved far more tightly than usual, so that only the method's own error is
/// seen.
std::unique_ptr<Integrator> tight_integrator(const std::string& name, std::map<std::string, OptionValue> options = {});

}  // namespace brio::testing
