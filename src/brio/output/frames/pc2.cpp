#include "brio/output/frames/pc2.hpp"

#include "brio/output/frames/obj.hpp"

namespace brio {
namespace {

struct Header {
  char magic[12] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
  std::int32_t version = 1;
  std::int32_t points = 0;
  float first_frame = 0;
  float frames_per_sample = 1;
  std::int32_t samples = 0;
};
static_assert(sizeof(Header) == 32 && offsetof(Header, samples) == 28);

}  // namespace

Pc2Writer::Pc2Writer(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), part_(body) {}

void Pc2Writer::write(const Frame& frame) {
  check_frame(vertices_, frame);
  if (samples_ == 0) {
    write_obj(create_folder(folder_) / "surface.obj", part_, frame.x);
    file_.emplace(folder_ / "surface.pc2");
    Header header;
    header.points = static_cast<std::int32_t>(part_.vertices.size());
    file_->write(std::span<const Header>(&header, 1));
  }
  const std::vector<float> points = part_.gather(frame.x);
  file_->seek(-1);
  file_->write(std::span(points));
  file_->flush();
  ++samples_;
  write_count();
}

void Pc2Writer::archive(Archive& archive) {
  if (file_ && !archive.loading()) file_->sync();
  archive(samples_);
  if (!archive.loading() || samples_ == 0) return;
  const auto frame_bytes = 3 * sizeof(float) * part_.vertices.size();
  file_.emplace(folder_ / "surface.pc2", sizeof(Header) + static_cast<size_t>(samples_) * frame_bytes);
  write_count();
}

void Pc2Writer::write_count() {
  file_->seek(offsetof(Header, samples));
  file_->write(std::span<const std::int32_t>(&samples_, 1));
  file_->flush();
}

}  // namespace brio
