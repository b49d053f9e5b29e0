#pragma once
// Where the files that come with brio are.

#include <filesystem>
#include <string>

namespace brio {

/// The folder of that name ("scenes", "papers") in the source tree from which the program was started, or where it was
/// built or installed; "" where there is none.
inline std::filesystem::path data_folder(const std::string& name) {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const std::filesystem::path& folder :
       {std::filesystem::path(name), program / ".." / name, program / ".." / "share" / "brio" / name})
    if (std::filesystem::is_directory(folder, ignored)) return folder.lexically_normal();
  return {};
}

}  // namespace brio
