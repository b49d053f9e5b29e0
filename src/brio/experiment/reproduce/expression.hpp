#pragma once
// Arithmetic expressions over measurements: "siere.step_ms / si.step_ms", "late(be.kinetic) / early(be.kinetic)".

#include "brio/core/options.hpp"
#include "brio/experiment/reproduce/evidence.hpp"

namespace brio {

/// + - * / and parentheses, numbers, findings as label.number, and functions; those of a curve take label.curve as
/// their first argument. Not a number where a finding is not one. Throws Error for text that makes no sense and for
/// labels, numbers, curves and functions that there are not.
double evaluate(const std::string& expression, const Evidence& evidence);

/// The curve "label.curve". Throws Error where there is none.
const SampledCurve& find_curve(const std::string& name, const Evidence& evidence);

/// The functions with what they mean, for docs and messages.
const std::vector<Entry>& expression_functions();

}  // namespace brio
