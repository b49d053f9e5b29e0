#pragma once
// Numbered files, one for each frame.

#include "brio/core/archive.hpp"
#include "brio/core/file.hpp"

namespace brio {

class FrameSequence {
 public:
  FrameSequence(std::filesystem::path folder, std::string extension)
      : folder_(std::move(folder)), extension_(std::move(extension)) {}

  int count() const { return count_; }  ///< of files so far
  /// The name of the next file. The first one takes the folder, with the frames of an earlier run removed.
  std::string next() {
    if (count_ == 0) create_sequence_folder(folder_, extension_);
    return sequence_name(count_++, extension_);
  }

  void archive(Archive& archive) {
    for (; !archive.loading() && synced_ < count_; ++synced_) sync_file(folder_ / sequence_name(synced_, extension_));
    archive(count_);
    if (!archive.loading() || count_ == 0) return;
    create_sequence_folder(folder_, extension_, count_);  // without those that came later
    synced_ = count_;
  }

 private:
  std::filesystem::path folder_;
  std::string extension_;
  int count_ = 0, synced_ = 0;
};

}  // namespace brio
