#include "brio/extend/load_plugin.hpp"

#include "brio/core/error.hpp"
#include "brio/extend/plugin.hpp"

#include <dlfcn.h>

namespace brio {
namespace {

/// A function of the library, or null.
template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

void load_plugin(const std::filesystem::path& file) {
  const std::string name = fmt::format("plug-in {}", file.string());
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) throw Error("{}: no such file", name);
  // A path without a folder would be searched for among the system's libraries. All names are resolved now, so that
  // what is missing is told here and not in the middle of a run.
  void* library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("{}: cannot be loaded: {}", name, dlerror());

  // It stays loaded whatever comes, for a row or an exception may refer to its code.
  const auto abi = function_of<const char*()>(library, "brio_plugin_abi");
  const auto register_rows = function_of<void(Registry&)>(library, "brio_plugin_register");
  if (!abi || !register_rows) throw Error("{}: is no plug-in of brio: it has no BRIO_PLUGIN(registry) {{…}}", name);
  if (std::string(abi()) != BRIO_ABI)
    throw Error(
        "{}: was built for another brio; build it again with the headers of this one\n  it has {}\n  brio has {}", name,
        abi(), BRIO_ABI);
  Registry registry(name);
  try {
    register_rows(registry);
  } catch (const Error& error) {
    if (std::string(error.what()).starts_with(name)) throw;
    throw Error("{}: {}", name, error.what());
  } catch (const std::exception& error) {
    throw Error("{}: failed while it registered its rows: {}", name, error.what());
  }
}

}  // namespace brio
