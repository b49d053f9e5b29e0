#include "brio/core/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace brio {
namespace fs = std::filesystem;
namespace {

/// The number of a file that is called frame_000123.extension, or -1.
long frame_number(std::string_view name, const std::string& extension) {
  constexpr std::string_view kStart = "frame_", kDigits = "0123456789";
  if (!name.starts_with(kStart) || !name.ends_with("." + extension)) return -1;
  name.remove_prefix(kStart.size());
  const size_t digits = std::min(name.find_first_not_of(kDigits), name.size());
  if (digits < 6 || name.substr(digits) != "." + extension) return -1;
  return std::strtol(std::string(name.substr(0, digits)).c_str(), nullptr, 10);
}

/// Whether the disk is to blame, rather than the name that was given.
bool is_disk_trouble(int code) { return code == ENOSPC || code == EDQUOT || code == EIO || code == EFBIG; }

[[noreturn]] void fail_to_write(const fs::path& path, const char* what, int code) {
  throw WriteError("{}: {}: {}", path.string(), what, std::strerror(code));
}

[[noreturn]] void fail_to_create(const fs::path& path, const char* what, int code) {
  if (is_disk_trouble(code)) fail_to_write(path, what, code);
  throw Error("{}: {}: {}", path.string(), what, std::strerror(code));
}

/// A new name is in the folder when the folder is on the disk.
void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);  // not every file system can
  ::close(descriptor);
}

constexpr const char* kPart = ".part";
constexpr size_t kBuffer = size_t{1} << 18;  // [byte]

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), part_(path_.string() + kPart) {
  std::error_code unknown;
  if (fs::exists(path_, unknown) && !fs::is_regular_file(path_, unknown)) part_.clear();  // a device, a pipe
  descriptor_ = open((part_.empty() ? path_ : part_).c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_create(path_, "cannot create the file", errno);
}

OutputFile::OutputFile(fs::path path, Whole) : OutputFile(std::move(path)) { whole_ = true; }

OutputFile::OutputFile(fs::path path, std::uint64_t length)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) throw Error("{}: cannot continue the file: {}", path_.string(), std::strerror(errno));
  struct stat status {};
  fstat(descriptor_, &status);
  const auto found = static_cast<std::uint64_t>(status.st_size);
  if (found < length) {
    ::close(descriptor_);
    throw Error("{}: cannot continue the file: it has {} bytes and had {} at the checkpoint", path_.string(), found,
                length);
  }
  truncate(length);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const Error&) {  // whoever wanted to know has called close()
  }
  ::close(descriptor_);
  std::error_code ignored;
  if (!part_.empty()) fs::remove(part_, ignored);
}

void OutputFile::take_name() {
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail_to_create(path_, "cannot create the file", errno);
  part_.clear();
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() >= kBuffer) {
    flush();
    hand_over(bytes);
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::hand_over(std::string_view bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t more = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) {
      const int reason = more < 0 ? errno : EIO;
      if (at_ == end_ && ftruncate(descriptor_, static_cast<off_t>(end_)) == 0)
        lseek(descriptor_, static_cast<off_t>(end_), SEEK_SET);
      fail_to_write(path_, "cannot write", reason);
    }
    done += static_cast<size_t>(more);
  }
  at_ += bytes.size();
  end_ = std::max(end_, at_);
  if (!part_.empty() && !bytes.empty() && !whole_) take_name();
}

void OutputFile::flush() { hand_over(std::exchange(buffer_, {})); }

void OutputFile::sync() {
  flush();
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot write");
}

std::uint64_t OutputFile::size() {
  flush();
  return end_;
}

void OutputFile::seek(long offset) {
  flush();
  at_ = offset < 0 ? end_ : static_cast<std::uint64_t>(offset);
  end_ = std::max(end_, at_);
  if (lseek(descriptor_, static_cast<off_t>(at_), SEEK_SET) < 0) fail("cannot seek");
}

void OutputFile::truncate(std::uint64_t length) {
  buffer_.clear();
  if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0) fail("cannot cut the file off");
  end_ = length;
  seek(static_cast<long>(length));
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (!part_.empty()) take_name();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write");
}

void OutputFile::fail(const char* what) const { fail_to_write(path_, what, errno); }

void write_whole_file(const fs::path& path, const std::function<void(OutputFile&)>& fill, Durable durable) {
  OutputFile file(path, OutputFile::Whole{});
  fill(file);
  if (durable == Durable::yes) file.sync();
  file.close();
  if (durable == Durable::yes) sync_folder(path.parent_path());
}

void append_file(OutputFile& file, const fs::path& from, const std::function<void(std::string_view)>& seen) {
  std::ifstream in(from, std::ios::binary);
  if (!in) throw Error("{}: cannot read the file: {}", from.string(), std::strerror(errno));
  std::vector<char> piece(size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    const std::string_view bytes(piece.data(), static_cast<size_t>(in.gcount()));
    if (seen) seen(bytes);
    file.write(bytes);
  }
  if (in.bad()) throw Error("{}: cannot read the file: {}", from.string(), std::strerror(errno));
}

void append_file_part(OutputFile& file, const fs::path& from, std::uint64_t begin, std::uint64_t bytes) {
  std::ifstream in(from, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  std::vector<char> piece(size_t{1} << 20);
  while (bytes > 0) {
    const auto wanted = static_cast<std::streamsize>(std::min<std::uint64_t>(bytes, piece.size()));
    if (!in.read(piece.data(), wanted)) throw Error("{}: the file ends too early", from.string());
    file.write(std::string_view(piece.data(), static_cast<size_t>(wanted)));
    bytes -= static_cast<std::uint64_t>(wanted);
  }
}

void sync_file(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool failed = descriptor < 0 || (fsync(descriptor) != 0 && errno != EINVAL);
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (failed) fail_to_write(path, "cannot write", reason);
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw Error("{}: cannot remove the file: {}", path.string(), error.message());
}

void remove_leftovers(const fs::path& folder, const std::function<bool(const std::string&)>& is_ours) {
  const size_t ending = std::string_view(kPart).size();
  std::error_code none;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kPart) && is_ours(name.substr(0, name.size() - ending))) found.push_back(entry.path());
  }
  for (const fs::path& file : found) remove_file(file);
}

const fs::path& create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error) && !error) error = std::make_error_code(std::errc::not_a_directory);
  if (error) fail_to_create(folder, "cannot create the folder", error.value());
  return folder;
}

void create_sequence_folder(const fs::path& folder, const std::string& extension, int from) {
  create_folder(folder);
  try {
    for (const auto& entry : fs::directory_iterator(folder))
      if (frame_number(entry.path().filename().string(), extension) >= from) fs::remove(entry.path());
  } catch (const fs::filesystem_error& error) {
    throw Error("{}: cannot remove the frames of an earlier run: {}", folder.string(), error.code().message());
  }
}

std::string sequence_name(int number, const std::string& extension) {
  return fmt::format("frame_{:06d}.{}", number, extension);
}

}  // namespace brio
