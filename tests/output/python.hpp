#pragma once
// Files as other programs read them: scripts for Debian's own Python.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace brio::testing {

inline bool python_has(const std::string& module) {
  return std::system(("/usr/bin/python3 -c 'import " + module + "' > /dev/null 2>&1").c_str()) == 0;
}

/// Whether the script, which finds the path in sys.argv[1], runs to its end. It must contain no double quotes.
inline bool python_accepts(const std::string& script, const std::filesystem::path& path) {
  return std::system(("/usr/bin/python3 -c \"" + script + "\" '" + path.string() + "'").c_str()) == 0;
}

}  // namespace brio::testing
