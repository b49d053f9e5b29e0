#include "brio/output/frames/npz.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

std::filesystem::path checked(const std::filesystem::path& folder, const BodyTopology& body) {
  check_topology(body);
  create_folder(folder);
  return folder;
}

/// Unicode code points of UTF-8; what is not UTF-8 becomes U+FFFD.
std::u32string code_points(std::string_view text) {
  constexpr char32_t kUnknown = 0xfffd;
  std::u32string points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    char32_t point = length == 1 ? lead : length == 0 ? kUnknown : lead & (0x7f >> length);
    for (size_t k = 1; k < length; ++k) {
      const auto next = i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
      point = next >> 6 == 2 && point != kUnknown ? point << 6 | (next & 0x3f) : kUnknown;
    }
    points += point;
    i += std::max<size_t>(1, length);
  }
  return points;
}

/// NumPy's type "<U5": texts of up to five code points, four bytes each, filled up with zeros.
std::filesystem::path write_texts(const std::filesystem::path& path, const std::vector<std::string>& texts) {
  std::vector<std::u32string> rows;
  size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, rows.emplace_back(code_points(text)).size());
  std::u32string all;
  for (std::u32string& row : rows) {
    row.resize(longest);
    all += row;
  }
  NpyFile file(path, fmt::format("<U{}", longest), {});
  file.append_bytes({reinterpret_cast<const char*>(all.data()), all.size() * sizeof(char32_t)},
                    static_cast<Index>(texts.size()));
  file.close();
  return path;
}

}  // namespace

NpzWriter::NpzWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(checked(folder, body)),
      vertices_(body.vertices),
      times_(folder_ / "times.npy", numpy_type<double>(), {}),
      positions_(folder_ / "positions.npy", numpy_type<double>(), {vertices_, 3}),
      velocities_(folder_ / "velocities.npy", numpy_type<double>(), {vertices_, 3}),
      strain_(folder_ / "strain.npy", numpy_type<double>(), {vertices_}) {
  remove_file(folder_ / "trajectory.npz");  // of an earlier run
  const auto add_cells = [&](const char* name, const auto& cells, std::vector<Index> row) {
    NpyFile file(folder_ / name, numpy_type<int>(), std::move(row));
    file.append(cells.data(), cells.rows());
    file.close();
    constant_.push_back(file.path());
  };
  const VectorXi region = body.region.size() > 0 ? body.region : VectorXi::Zero(body.tets.rows());
  add_cells("tets.npy", body.tets, {4});
  add_cells("region.npy", region, {});
  add_cells("triangles.npy", body.triangles, {3});
  add_cells("edges.npy", body.edges, {2});
  if (body.body.empty()) return;
  add_cells("body.npy", Eigen::Map<const VectorXi>(body.body.data(), body.vertices), {});
  constant_.push_back(write_texts(folder_ / "body_names.npy", body.body_names));
}

void NpzWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  positions_.append(frame.x.data(), 1);
  velocities_.append(frame.v.data(), 1);
  strain_.append(frame.strain.data(), 1);
  times_.append(&frame.time, 1);
}

void NpzWriter::finish() {
  std::vector<std::filesystem::path> files;
  for (NpyFile* array : {&times_, &positions_, &velocities_, &strain_}) {
    array->close();
    files.push_back(array->path());
  }
  files.insert(files.end(), constant_.begin(), constant_.end());
  write_zip(folder_ / "trajectory.npz", files);
  for (const auto& file : files) remove_file(file);
}

}  // namespace brio
