#pragma once
// What a schema says several times, said once and referred to.

#include "brio/core/json.hpp"

namespace brio {

/// Moves objects that a schema has more than once, and that are not short, into its "$defs".
void share_repeated(Json& schema);

}  // namespace brio
