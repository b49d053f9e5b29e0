#include "brio/output/frames/npz.hpp"

namespace brio {
namespace {

std::filesystem::path checked(const std::filesystem::path& folder, const BodyTopology& body) {
  check_topology(body);
  create_folder(folder);
  return folder;
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
