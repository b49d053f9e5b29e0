#pragma once
// What decides over the last bits of a result besides the source: the compiler and how it was called, the processor,
// and the libraries that choose their code by the processor.

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnu/libc-version.h>
#include <sstream>
#include <string>

namespace brio::testing {

/// Vendor, family and model, by which OpenBLAS chooses its code, and the widest instructions that `-march=native` finds:
/// a virtual machine may hide some that its processor has.
inline std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string text, instructions;
  for (std::string line; std::getline(info, line) && !line.empty();) {  // the first processor ends with an empty line
    for (const char* key : {"vendor_id\t", "cpu family\t", "model\t"}) {
      if (line.starts_with(key)) text += line.substr(line.find(':') + 1);
    }
    if (line.starts_with("flags\t")) {
      for (const char* set : {" avx2", " avx512f"}) {
        if (line.find(set) != std::string::npos) instructions = set;
      }
    }
  }
  return text.empty() ? " unknown processor" : text + instructions;
}

/// The files behind CHOLMOD and OpenBLAS of a program; their names have the versions.
inline std::string numeric_libraries(const std::string& program) {
  std::string text;
  FILE* pipe = popen(fmt::format("ldd '{}' 2>/dev/null", program).c_str(), "r");
  if (pipe == nullptr) return text;
  for (std::array<char, 4096> line{}; std::fgets(line.data(), line.size(), pipe) != nullptr;) {
    std::istringstream words(line.data());  // libname => path (address)
    std::string name, arrow, path;
    words >> name >> arrow >> path;
    if (name.starts_with("libcholmod") || name.starts_with("libopenblas") || name.starts_with("libmetis")) {
      std::error_code error;
      text += " " + std::filesystem::canonical(path, error).filename().string();
    }
  }
  pclose(pipe);
  return text;
}

/// `build` is what CMake knows: compiler, kind of build, options.
inline std::string machine_key(const std::string& build, const std::string& program) {
  std::string key = fmt::format("{} | {} | glibc {}{}", build, processor().substr(1), gnu_get_libc_version(),
                                numeric_libraries(program));
  for (const char* variable : {"OPENBLAS_CORETYPE", "GLIBC_TUNABLES"}) {
    if (const char* value = std::getenv(variable)) key += fmt::format(" {}={}", variable, value);
  }
  return key;
}

}  // namespace brio::testing
