#pragma once
// A table that grows line by line, flushed after each of them, and that another process can continue.

#include "brio/core/archive.hpp"
#include "brio/core/file.hpp"

#include <optional>

namespace brio {

class CsvFile {
 public:
  /// The file is made with the first line; `head` is the line before it.
  CsvFile(std::filesystem::path path, std::string head) : path_(std::move(path)), head_(std::move(head)) {}

  /// A line, or several of them, with the end of the last one.
  void write(std::string_view lines) {
    if (!file_) {
      file_.emplace(path_);
      file_->write(head_);
    }
    file_->write(lines);
    file_->flush();
  }

  /// Brings the file to the disk, or cuts it back to what it was then.
  void archive(Archive& archive) {
    bool there = file_.has_value();
    std::uint64_t length = there ? file_->size() : 0;
    if (there && !archive.loading()) file_->sync();
    archive(there, length);
    if (archive.loading() && there) file_.emplace(path_, length);
  }

 private:
  std::filesystem::path path_;
  std::string head_;
  std::optional<OutputFile> file_;
};

}  // namespace brio
