#pragma once
// How much memory the machine has to give.

namespace brio {

/// What a program may still take without the machine running short [B]; 0 where the system does not say. The
/// environment variable BRIO_MEMORY_MB allows it less, on a machine that others use as well.
double available_memory();

}  // namespace brio
