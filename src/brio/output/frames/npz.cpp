#include "brio/output/frames/npz.hpp"

#include "brio/output/frames/stress_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

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

NpzWriter::NpzWriter(const std::filesystem::path& folder, const BodyTopology& body) : folder_(folder), body_(body) {
  check_topology(body_);
}

void NpzWriter::open_files(Index frames) {
  const std::filesystem::path whole = create_folder(folder_) / "trajectory.npz";
  const bool taken_apart = frames > 0 && std::filesystem::exists(whole);
  const auto add = [&](const char* name, std::vector<Index> row) {
    const std::filesystem::path path = folder_ / name;
    if (taken_apart) extract_from_zip(whole, path);
    arrays_.push_back(frames > 0 ? std::make_unique<NpyFile>(path, numpy_type<double>(), std::move(row), frames)
                                 : std::make_unique<NpyFile>(path, numpy_type<double>(), std::move(row)));
  };
  const Index n = body_.vertices;
  add("times.npy", {});
  add("positions.npy", {n, 3});
  add("velocities.npy", {n, 3});
  add("strain.npy", {n});
  if (body_.contact) add("contact_force.npy", {n, 3});
  if (body_.stress && body_.tets.rows() > 0)
    for (const auto& [of, rows] : {std::pair{"", n}, {"cell_", body_.tets.rows()}}) {
      add(fmt::format("{}von_mises.npy", of).c_str(), {rows});
      add(fmt::format("{}cauchy.npy", of).c_str(), {rows, 6});
      add(fmt::format("{}stretches.npy", of).c_str(), {rows, 3});
    }
  remove_file(whole);  // of an earlier run, or taken apart

  const auto add_cells = [&](const char* name, const auto& cells, std::vector<Index> row) {
    NpyFile file(folder_ / name, numpy_type<int>(), std::move(row));
    file.append(cells.data(), cells.rows());
    file.close();
    constant_.push_back(file.path());
  };
  const VectorXi region = body_.region.size() > 0 ? body_.region : VectorXi::Zero(body_.tets.rows());
  add_cells("tets.npy", body_.tets, {4});
  add_cells("region.npy", region, {});
  add_cells("triangles.npy", body_.triangles, {3});
  add_cells("edges.npy", body_.edges, {2});
  if (body_.body.empty()) return;
  add_cells("body.npy", Eigen::Map<const VectorXi>(body_.body.data(), body_.vertices), {});
  constant_.push_back(write_texts(folder_ / "body_names.npy", body_.body_names));
}

void NpzWriter::write(const Frame& frame) {
  check_frame(body_.vertices, frame);
  if (arrays_.empty()) open_files(0);
  arrays_[1]->append(frame.x.data(), 1);
  arrays_[2]->append(frame.v.data(), 1);
  arrays_[3]->append(frame.strain.data(), 1);
  if (body_.contact) {
    const MatrixX3d none = MatrixX3d::Zero(frame.contact_force ? 0 : body_.vertices, 3);
    arrays_[4]->append(frame.contact_force ? frame.contact_force->data() : none.data(), 1);
  }
  if (body_.stress && body_.tets.rows() > 0) {
    const StressFields stress(frame, body_.tets.rows());
    size_t array = body_.contact ? 5 : 4;
    for (const auto* fields : {&stress.at_vertices(), &stress.at_cells()})
      for (const PointField& field : *fields) arrays_[array++]->append(std::get<const double*>(field.values), 1);
  }
  arrays_[0]->append(&frame.time, 1);
}

void NpzWriter::finish() {
  if (arrays_.empty()) return;
  std::vector<std::filesystem::path> files;
  for (const auto& array : arrays_) {
    array->close();
    files.push_back(array->path());
  }
  files.insert(files.end(), constant_.begin(), constant_.end());
  write_zip(folder_ / "trajectory.npz", files);
  for (const auto& file : files) remove_file(file);
}

void NpzWriter::archive(Archive& archive) {
  Index frames = arrays_.empty() ? 0 : arrays_.front()->rows();
  if (!archive.loading())
    for (const auto& array : arrays_) array->sync();
  archive(frames);
  if (archive.loading() && frames > 0) open_files(frames);
}

}  // namespace brio
