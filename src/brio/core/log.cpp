#include "brio/core/log.hpp"

#include "brio/core/printable.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace brio {
namespace {

std::shared_ptr<spdlog::logger> logger() {
  if (auto existing = spdlog::get("brio")) return existing;
  auto created = spdlog::stderr_color_mt("brio");
  created->set_pattern("%^%n %l:%$ %v");
  return created;
}

}  // namespace

void log_info(const std::string& line) { logger()->info(printable(line)); }
void log_warning(const std::string& line) { logger()->warn(printable(line)); }

}  // namespace brio
