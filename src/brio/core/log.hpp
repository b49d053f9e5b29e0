#pragma once
// Log messages of the library. Lines go through spdlog's logger "brio" (standard error unless the host
// program registers its own), so that an application can route or silence them.

#include <string>

namespace brio {

void log_info(const std::string& line);
void log_warning(const std::string& line);

}  // namespace brio
