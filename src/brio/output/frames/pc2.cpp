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
    : folder_(folder), vertices_(body.vertices), part_(body) {
  create_folder(folder_);
  file_ = std::make_unique<OutputFile>(folder_ / "surface.pc2");
  Header header;
  header.points = static_cast<std::int32_t>(part_.vertices.size());
  file_->write(std::span<const Header>(&header, 1));
  file_->flush();
}

void Pc2Writer::write(const Frame& frame) {
  check_frame(vertices_, frame);
  if (samples_ == 0) write_obj(folder_ / "surface.obj", part_, frame.x);
  const std::vector<float> points = part_.gather(frame.x);
  file_->seek(-1);
  file_->write(std::span(points));
  file_->flush();
  ++samples_;
  file_->seek(offsetof(Header, samples));
  file_->write(std::span<const std::int32_t>(&samples_, 1));
  file_->flush();
}

}  // namespace brio
