#include "support/integrators.hpp"

namespace brio::testing {

std::unique_ptr<Integrator> integrator(const std::string& name, const std::map<std::string, OptionValue>& options) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", name);
  return row.make(Options(row.options, options, name));
}

std::unique_ptr<Integrator> tight_integrator(const std::string& name, std::map<std::string, OptionValue> options) {
  for (const Option& option : find_row(integrators(), "integrator", name).options) {
    if (option.key == "tolerance") options["tolerance"] = 1e-12;
  }
  return integrator(name, options);
}

}  // namespace brio::testing
