#pragma once
// What the solvers of an engine do in a step, as quantities of the ledger.

#include "brio/integrate/step_work.hpp"

namespace brio {

inline constexpr Extra kEngineIterations{"engine_iterations", "iterations of conjugate gradients in the engine", ""};
inline constexpr Extra kEngineFactors{"engine_factorizations", "matrices that the engine has factored", ""};
inline constexpr Extra kEngineFallbacks{"engine_fallbacks",
                                        "matrices whose iterations did not converge, so that they were factored",
                                        "",
                                        Extra::Over::sum,
                                        Extra::Value::count,
                                        {},
                                        {"in which the engine fell back to a factorization", Remark::kNever, ""}};
inline constexpr Extra kEngineUnconverged{
    "engine_unconverged",
    "matrices whose iterations did not converge, and that are too large to be factored",
    "",
    Extra::Over::sum,
    Extra::Value::count,
    {},
    {"in which the engine's iterations did not converge", 0,
     "a smaller step, or \"engine\": \"direct\" on a machine with more memory"}};

}  // namespace brio
