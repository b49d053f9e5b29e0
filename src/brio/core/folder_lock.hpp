#pragma once
// One process at a time writes into a folder.

#include <filesystem>

namespace brio {

/// Locks a folder, which must exist, while it lives; the lock ends with the process, however that ends. Throws Error
/// where another process has it. Where the file system knows no locks, there is none.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace brio
