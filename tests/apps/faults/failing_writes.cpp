// To be preloaded into the program: its BRIO_FAULT_AT-th write into a plain file goes wrong as BRIO_FAULT says, and
// where the disk stays full or writes are always short, so do those after it. BRIO_FAULT_COUNT names a file that gets
// the count of writes.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

long writes = 0;

bool is_plain_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// A full disk still takes what replaces bytes that are there.
bool has_room(int descriptor, size_t size) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && lseek(descriptor, 0, SEEK_CUR) + static_cast<off_t>(size) <= status.st_size;
}

__attribute__((destructor)) void tell() {
  const char* name = std::getenv("BRIO_FAULT_COUNT");
  if (!name) return;
  if (std::FILE* file = std::fopen(name, "w")) {
    std::fprintf(file, "%ld", writes);
    std::fclose(file);
  }
}

}  // namespace

extern "C" ssize_t write(int descriptor, const void* bytes, size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "write"));
  if (!is_plain_file(descriptor)) return real(descriptor, bytes, size);
  ++writes;
  const char* fault = std::getenv("BRIO_FAULT");
  const char* at = std::getenv("BRIO_FAULT_AT");
  if (!fault || !at || writes < std::atol(at)) return real(descriptor, bytes, size);
  const bool now = writes == std::atol(at);
  if (std::strcmp(fault, "short") == 0) return real(descriptor, bytes, size > 1 ? size / 2 : size);
  if (std::strcmp(fault, "full") == 0) {  // for good, after half of the first write still went in
    if (now && size > 1) return real(descriptor, bytes, size / 2);
    if (has_room(descriptor, size)) return real(descriptor, bytes, size);
    errno = ENOSPC;
    return -1;
  }
  if (!now) return real(descriptor, bytes, size);
  errno = EIO;
  return -1;
}
