#pragma once
// Loads plug-ins: shared libraries that add rows to brio's tables (brio/extend/plugin.hpp).

#include <filesystem>

namespace brio {

/// Loads a plug-in and registers its rows; they stay until the process ends. Throws Error, naming the file, where it
/// cannot be loaded, is no plug-in, was built for another brio, or throws by itself. The calling program must export
/// the symbols of the whole library, as `brio` does (CMake: ENABLE_EXPORTS and
/// $<LINK_LIBRARY:WHOLE_ARCHIVE,brio::brio>).
void load_plugin(const std::filesystem::path& file);

}  // namespace brio
