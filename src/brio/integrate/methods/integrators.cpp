#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/integrate/methods/ere.hpp"
#include "brio/integrate/methods/explicit.hpp"
#include "brio/integrate/methods/glim.hpp"
#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/integrate/methods/ksiere.hpp"
#include "brio/integrate/methods/lim.hpp"
#include "brio/integrate/methods/si.hpp"
#include "brio/integrate/methods/siere.hpp"
#include "brio/integrate/methods/stabilized.hpp"
#include "brio/integrate/parts/body_contact.hpp"
#include "brio/integrate/parts/engine_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brio {

/// What steps report whatever the method is: of condensed bodies, of bodies that touch, and of engines.
static constexpr std::array kOfNoMethod = {&kDynamicNodes,    &kSwitches,         &kContactIterations, &kContactPieces,
                                           &kHeldBack,        &kContactGained,    &kMostContacts,      &kEngineIterations,
                                           &kEngineFactors,   &kEngineFallbacks,  &kEngineUnconverged};

static std::vector<IntegratorEntry> built_in_integrators() {
  return {GuardedMidpoint::entry(),
          SemiImplicitEuler::entry(),
          LinearlyImplicitMidpoint::entry(),
          forward_euler(),
          symplectic_euler(),
          runge_kutta_4(),
          backward_euler(),
          implicit_midpoint(),
          bdf2(),
          newmark(),
          generalized_alpha(),
          Ere::entry(),
          Siere::entry(),
          Ksiere::entry(),
          Stabilized::entry()};
}

Table<IntegratorEntry>& integrator_table() {
  static Table<IntegratorEntry> table("integrator", built_in_integrators());
  return table;
}

const std::vector<IntegratorEntry>& integrators() { return integrator_table().rows(); }

std::string restartable_integrators() {
  std::vector<std::string> names;
  for (const IntegratorEntry& row : integrators())
    if (row.restartable) names.push_back(row.name);
  return joined(names, ", ");
}

MatrixUse matrix_use(const Item& method) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", method.name);
  return row.matrices ? row.matrices(method.options) : MatrixUse::changing;
}

void add_engine_work(const SolverWork& work, StepReport& report) {
  report.extras.add(kEngineIterations, work.iterations);
  report.extras.add(kEngineFactors, work.factorizations);
  report.extras.add(kEngineFallbacks, work.fallbacks);
  if (work.unconverged > 0) report.extras.add(kEngineUnconverged, work.unconverged);
}

std::vector<Extra> declared_extras() {
  std::vector<Extra> all;
  const auto add = [&](const Extra& extra) {
    if (std::none_of(all.begin(), all.end(), [&](const Extra& known) { return known.name == extra.name; }))
      all.push_back(extra);
  };
  for (const IntegratorEntry& row : integrators()) std::for_each(row.extras.begin(), row.extras.end(), add);
  for (const Extra* extra : kOfNoMethod) add(*extra);
  return all;
}

const Extra* find_declared_extra(std::string_view name) {
  for (const IntegratorEntry& row : integrators())
    for (const Extra& extra : row.extras)
      if (extra.name == name) return &extra;
  for (const Extra* extra : kOfNoMethod)
    if (extra->name == name) return extra;
  return nullptr;
}

void archive_work(Archive& archive, StepWork& work) {
  for (const WorkCounter& counter : work_counters()) archive(work.*counter.value);
  archive(work.time.assembly, work.time.factor, work.time.solve, work.time.other);
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [extra, value] : work.extras.entries()) {
    names.emplace_back(extra->name);
    values.push_back(value);
  }
  archive(names, values);
  if (!archive.loading()) return;
  work.extras = {};
  for (size_t i = 0; i < names.size(); ++i) {
    const Extra* extra = find_declared_extra(names[i]);
    if (!extra) throw Error("the quantity \"{}\" of the stored steps is declared by no integrator here", names[i]);
    work.extras.set(*extra, values[i]);
  }
}

std::vector<Extra> declared_curves() {
  std::vector<Extra> curves = declared_extras();
  std::erase_if(curves, [](const Extra& extra) { return extra.over != Extra::Over::curve; });
  return curves;
}

}  // namespace brio
