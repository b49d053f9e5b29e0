#pragma once
// The PVD collection that gives each file of a sequence its time, for ParaView. It is valid after every row.

#include "brio/core/archive.hpp"
#include "brio/core/file.hpp"

#include <optional>
#include <string>

namespace brio {

class PvdCollection {
 public:
  explicit PvdCollection(std::filesystem::path path) : path_(std::move(path)) {}
  void add(double time, const std::string& file);
  /// Brings it to the disk; or, when the archive loads, cuts it back to the rows that it had, of which there were some.
  void archive(Archive& archive, bool begun);

 private:
  void close_tags();

  std::filesystem::path path_;
  std::optional<OutputFile> file_;
  long end_ = 0;  ///< where the next row goes, over the closing tags
};

}  // namespace brio
