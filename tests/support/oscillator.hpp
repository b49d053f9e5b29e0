#pragma once
// The oscillator of brio/system, under the name that the tests know.

#include "brio/system/oscillator.hpp"

namespace brio::testing {

using brio::oscillator;

}  // namespace brio::testing
