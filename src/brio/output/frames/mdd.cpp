#include "brio/output/frames/mdd.hpp"

#include "brio/output/frames/obj.hpp"

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
    : folder_(folder), waiting_(folder / "surface.points"), vertices_(body.vertices), part_(body) {
  create_folder(folder_);
  remove_file(folder_ / "surface.mdd");  // of an earlier run
  points_ = std::make_unique<OutputFile>(waiting_);
}

void MddWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  if (times_.empty()) write_obj(folder_ / "surface.obj", part_, frame.x);
  write_big_endian(*points_, part_.gather(frame.x));
  times_.push_back(static_cast<float>(frame.time));
}

void MddWriter::finish() {
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

}  // namespace brio
