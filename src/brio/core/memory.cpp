#include "brio/core/memory.hpp"

#include <fstream>
#include <string>

namespace brio {

double available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, rest; file >> key && std::getline(file, rest);)
    if (key == "MemAvailable:") return 1024 * std::strtod(rest.c_str(), nullptr);
  return 0;
}

}  // namespace brio
