#include "brio/output/frames/ply.hpp"

#include "brio/core/file.hpp"
#include "brio/mesh/formats/ply_output.hpp"

#include <bit>

namespace brio {

PlyWriter::PlyWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), part_(body), files_(folder, "ply") {
  head_ = ply_header(static_cast<Index>(part_.vertices.size()), "float", {"x", "y", "z", "vx", "vy", "vz", "strain"},
                     part_.triangles.rows(), part_.edges.rows(),
                     part_.body.empty() ? std::vector<const char*>{} : std::vector<const char*>{"body"});
  cells_ = ply_cells(part_.triangles, part_.edges);
}

void PlyWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  const auto n = static_cast<Index>(part_.vertices.size());
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(n, part_.body.empty() ? 7 : 8);
  rows.leftCols<7>() << part_.rows(frame.x).cast<float>(), part_.rows(frame.v).cast<float>(),
      part_.rows(frame.strain).cast<float>();
  if (!part_.body.empty())  // the bits of an int
    for (Index i = 0; i < n; ++i) rows(i, 7) = std::bit_cast<float>(part_.body[i]);
  write_whole_file(folder_ / files_.next(), [&](OutputFile& file) {
    file.write(head_);
    file.write(std::span<const float>(rows.data(), static_cast<size_t>(rows.size())));
    file.write(cells_);
  });
}

}  // namespace brio
