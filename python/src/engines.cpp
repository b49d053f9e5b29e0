// Engines with a library of their own, for Python: loaded when a scene asks for one, in a process that computes alone.

#include "brio/core/error.hpp"
#include "brio/core/ranks.hpp"
#include "brio/extend/load_plugin.hpp"
#include "brio/system/engine.hpp"

#include "bindings.hpp"
#include <dlfcn.h>
#include <filesystem>

namespace brio::python {
namespace {

/// What the ranks but the first throw: one voice is enough.
struct OtherRank {};

/// This module's file.
std::filesystem::path own_file() {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(&own_file), &info) && info.dli_fname ? info.dli_fname : "";
}

void load_engine(const std::string& name) {
  const auto [count, rank] = launched();
  if (count > 1 && rank > 0) throw OtherRank();
  if (count > 1)
    throw Error(
        "{} ranks were started, and the package for Python computes in one process: start Python without mpirun, or "
        "run "
        "the scene with `mpirun -n {} brio run`",
        count, count);
  const std::filesystem::path module = own_file(), folder = module.parent_path();
  std::error_code ignored;
  // Where it was built, or installed: lib/python3.11/dist-packages/brio, and lib/x86_64-linux-gnu/brio or lib/brio.
  for (const std::filesystem::path& place :
       {folder / ".." / "..", folder / "../../../.." / BRIO_LIBDIR / "brio", folder / "../../../../lib/brio"}) {
    const std::filesystem::path file = place / ("libbrio_" + name + ".so");
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    dlopen(module.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);  // the engine stands on the library in this module
    return load_plugin(file);
  }
}

}  // namespace

void load_engines_on_demand() {
  set_engine_loader(load_engine);
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const OtherRank&) {
      PyErr_SetObject(PyExc_SystemExit, py::int_(0).ptr());
    }
  });
}

}  // namespace brio::python
