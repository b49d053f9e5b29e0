#pragma once
// Collects all errors of a scene file, so that they are reported together.

#include <string>
#include <utility>
#include <vector>

namespace brio {

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  /// From now on, problems at or below `path` say that the value came from `origin` ("--set integrator.h=0").
  void note_origin(std::string path, std::string origin);
  /// "file: path = value: text"; an empty path means the file as a whole, an empty value that there is none.
  void add(const std::string& path, const std::string& text, const std::string& value = "");

  bool empty() const { return lines_.empty(); }
  size_t count() const { return lines_.size(); }
  bool full() const { return lines_.size() >= kMost; }  ///< further problems are not kept
  void throw_if_any() const;                            ///< one Error with a line for each problem

 private:
  static constexpr size_t kMost = 20;
  std::string file_;
  std::vector<std::pair<std::string, std::string>> origins_;
  std::vector<std::string> lines_;
};

/// "mesh" and "cells" make "mesh.cells"; a key of the file itself stands alone.
std::string join_path(const std::string& path, const std::string& key);
/// At most `most` bytes of the text, cut between characters and marked with "…".
std::string shorten(const std::string& text, size_t most = 60);

}  // namespace brio
