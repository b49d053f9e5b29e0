#pragma once
// A table that grows line by line, flushed after each of them, and that another process can continue.

#include "brio/core/archive.hpp"
#include "brio/core/file.hpp"

#include <fstream>
#include <functional>
#include <optional>
#include <string>

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

  /// Goes on with the file that is there, of which only these lines stay.
  void keep(const std::function<bool(const std::string& line)>& stays) {
    std::ifstream old(path_);
    if (!old) return;
    write_whole_file(path_, [&](OutputFile& file) {
      file.write(head_);
      std::string line;
      std::getline(old, line);  // the head
      while (std::getline(old, line))
        if (stays(line)) file.write(line + "\n");
    });
    file_.emplace(path_, std::filesystem::file_size(path_));
  }

 private:
  std::filesystem::path path_;
  std::string head_;
  std::optional<OutputFile> file_;
};

}  // namespace brio
