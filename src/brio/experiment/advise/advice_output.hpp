#pragma once
// Advice in words and as JSON.

#include "brio/experiment/advise/advise.hpp"

namespace brio {

/// The trials, a line each, and what follows from them.
std::string advice_text(const Advice& advice);

/// advice.json; null where a number is not known.
Json to_json(const Advice& advice);

}  // namespace brio
