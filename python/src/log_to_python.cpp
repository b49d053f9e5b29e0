// What the library logs goes to Python's own logger "brio", where notebooks and programs expect it.

#include <pybind11/pybind11.h>

#include "bindings.hpp"
#include <memory>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

namespace brio::python {
namespace {

/// Without a lock of its own: with one, a thread that has it and waits for the GIL would wait for a thread that has the
/// GIL and waits for it.
class PythonSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (!Py_IsInitialized()) return;
    const py::gil_scoped_acquire gil;
    const char* level = message.level >= spdlog::level::warn ? "warning" : "info";
    const py::object logger = py::module_::import("logging").attr("getLogger")("brio");
    logger.attr(level)("%s", std::string(message.payload.begin(), message.payload.end()));
  }
  void flush_() override {}
};

}  // namespace

void log_to_python() {
  spdlog::drop("brio");
  spdlog::register_logger(std::make_shared<spdlog::logger>("brio", std::make_shared<PythonSink>()));
}

}  // namespace brio::python
