#include "brio/core/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace brio {
namespace {

/// Of the machine [B]; 0 where it does not say.
double left_on_machine() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, rest; file >> key && std::getline(file, rest);)
    if (key == "MemAvailable:") return 1024 * std::strtod(rest.c_str(), nullptr);
  return 0;
}

}  // namespace

double available_memory() {
  const double machine = left_on_machine();
  const char* limit = std::getenv("BRIO_MEMORY_MB");
  const double allowed = limit ? 1e6 * std::strtod(limit, nullptr) : 0;
  if (!(allowed > 0)) return machine;
  return machine > 0 ? std::min(machine, allowed) : allowed;
}

}  // namespace brio
