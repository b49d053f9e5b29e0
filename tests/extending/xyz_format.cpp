#include "rows.hpp"
#include <fstream>

namespace brio {
namespace {

/// Keeps the last frame in one file.
class XyzWriter : public FrameWriter {
 public:
  explicit XyzWriter(const std::filesystem::path& folder) : file_(folder / "last.xyz") {
    std::filesystem::create_directories(folder);
  }

  void write(const Frame& frame) override { std::ofstream(file_) << xyz_text(frame.x); }

 private:
  std::filesystem::path file_;
};

}  // namespace

std::string xyz_text(const MatrixX3d& x) {
  std::string text;
  for (Index i = 0; i < x.rows(); ++i) text += fmt::format("{:.17g} {:.17g} {:.17g}\n", x(i, 0), x(i, 1), x(i, 2));
  return text;
}

FrameFormatEntry xyz_entry() {
  return {{"xyz", "the last positions as text, a line for each vertex", {}},
          [](const std::filesystem::path& folder, const BodyTopology&) { return std::make_unique<XyzWriter>(folder); }};
}

}  // namespace brio
