#include "brio/output/frames/mdd.hpp"

#include "brio/output/frames/obj.hpp"

#include <fstream>

namespace brio {
namespace {

void write_big_endian(OutputFile& file, const std::vector<float>& values) {
  std::vector<std::uint32_t> turned;
  turned.reserve(values.size());
  for (float value : values) turned.push_back(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  file.write(std::span<const std::uint32_t>(turned));
}

}  // namespace

MddWriter::MddWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), waiting_(folder / "surface.points"), vertices_(body.vertices), part_(body) {}

void MddWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  if (times_.empty()) {
    write_obj(create_folder(folder_) / "surface.obj", part_, frame.x);
    remove_file(folder_ / "surface.mdd");  // of an earlier run
    points_.emplace(waiting_);
  }
  write_big_endian(*points_, part_.gather(frame.x));
  times_.push_back(static_cast<float>(frame.time));
}

void MddWriter::finish() {
  if (!points_) return;
  points_->close();
  write_whole_file(folder_ / "surface.mdd", [&](OutputFile& file) {
    const std::uint32_t counts[] = {__builtin_bswap32(static_cast<std::uint32_t>(times_.size())),
                                    __builtin_bswap32(static_cast<std::uint32_t>(part_.vertices.size()))};
    file.write(std::span<const std::uint32_t>(counts));
    write_big_endian(file, times_);
    append_file(file, waiting_);
  });
  remove_file(waiting_);
}

/// Points that are in surface.mdd already, because the process came so far, are taken out of it again.
void MddWriter::archive(Archive& archive) {
  if (points_ && !archive.loading()) points_->sync();
  archive(times_);
  if (!archive.loading() || times_.empty()) return;
  const std::filesystem::path whole = folder_ / "surface.mdd";
  const size_t bytes = times_.size() * 3 * sizeof(float) * part_.vertices.size();
  if (std::filesystem::exists(whole)) {
    std::uint32_t frames = 0;
    std::ifstream(whole, std::ios::binary).read(reinterpret_cast<char*>(&frames), sizeof frames);
    const std::uint64_t begin = 2 * sizeof frames + sizeof(float) * __builtin_bswap32(frames);
    write_whole_file(waiting_, [&](OutputFile& file) { append_file_part(file, whole, begin, bytes); });
    remove_file(whole);
  }
  points_.emplace(waiting_, bytes);
}

}  // namespace brio
