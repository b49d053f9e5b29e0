#include "brio/output/frames/pvd_collection.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

constexpr std::string_view kCollectionHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view kCollectionTail = "</Collection>\n</VTKFile>\n";

}  // namespace

void PvdCollection::add(double time, const std::string& file) {
  if (!file_) {
    file_.emplace(path_);
    file_->write(kCollectionHead);
    file_->write(kCollectionTail);
    file_->flush();
    end_ = static_cast<long>(kCollectionHead.size());
  }
  // One small write replaces the closing tags by the new row and the closing tags.
  const std::string row = fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, file);
  try {
    file_->seek(end_);
    file_->write(row + std::string(kCollectionTail));
    file_->flush();
  } catch (const WriteError&) {
    close_tags();
    throw;
  }
  end_ += static_cast<long>(row.size());
}

/// Closes the collection after the rows that it has. There is room for the closing tags on a full disk, too: they have
/// been there before.
void PvdCollection::close_tags() {
  file_->seek(end_);
  file_->write(kCollectionTail);
  file_->flush();
  file_->truncate(static_cast<std::uint64_t>(end_) + kCollectionTail.size());
}

void PvdCollection::archive(Archive& archive, bool begun) {
  if (file_ && !archive.loading()) file_->sync();
  archive(end_);
  if (!archive.loading() || !begun) return;
  file_.emplace(path_, static_cast<std::uint64_t>(end_) + kCollectionTail.size());
  close_tags();
}

}  // namespace brio
