// Meshes: checked, read, written, and filled into shapes.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/output/mesh_output.hpp"
#include "brio/output/report_template.hpp"
#include "brio/output/save_mesh.hpp"
#include "brio/scene/named_shapes.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace brio::python {
namespace {

using Tets = py::array_t<int, py::array::c_style>;

TetMesh mesh_of(const Rows& vertices, const Tets& tets, const Tets& regions) {
  TetMesh mesh;
  mesh.X = matrix_of(vertices);
  mesh.T = Eigen::Map<const MatrixX4i>(tets.data(), tets.shape(0), 4);
  mesh.region = Eigen::Map<const VectorXi>(regions.data(), regions.size());
  return mesh;
}

/// (vertices, tetrahedra, regions, messages)
py::tuple parts_of(const LoadedMesh& loaded) {
  const TetMesh& mesh = loaded.mesh;
  const VectorXi region = mesh.region.size() > 0 ? mesh.region : VectorXi(VectorXi::Zero(mesh.tets()));
  return py::make_tuple(copied(mesh.X), copied(mesh.T), copied(region), loaded.messages);
}

LoadedMesh filled(const std::string& shape, std::optional<int> vertices, std::optional<double> size, bool graded,
                  const std::string& keep) {
  const ShapeFile solid = find_solid(shape);
  StuffingTarget target{.graded = graded, .keep = keep_of(keep)};
  if (size)
    target.size = *size;
  else
    target.vertices = vertices.value_or(solid.vertices);
  return fill(solid, target);
}

}  // namespace

void bind_mesh(py::module_& m) {
  m.def("check_mesh", [](const Rows& vertices, const Tets& tets, const Tets& regions) {
    validate(mesh_of(vertices, tets, regions), "Mesh");
  });
  m.def("surface_of", [](const Rows& vertices, const Tets& tets, const Tets& regions) {
    return copied(boundary_triangles(mesh_of(vertices, tets, regions)));
  });
  m.def("inspect_mesh", [](const Rows& vertices, const Tets& tets, const Tets& regions) {
    LoadedMesh loaded;
    loaded.mesh = mesh_of(vertices, tets, regions);
    const MeshInspection found = inspect(loaded);
    return py::make_tuple(found.volume, found.area, found.components, found.problems);
  });
  m.def("write_mesh_page", [](const std::string& folder, const Rows& vertices, const Tets& tets, const Tets& regions) {
    LoadedMesh loaded;
    loaded.mesh = mesh_of(vertices, tets, regions);
    write_mesh_page(folder, "Mesh", loaded, inspect(loaded));
  });
  m.def("has_pages", [] { return report_template().find("built without its pages") == std::string_view::npos; });
  m.def("save_mesh", [](const std::string& file, const Rows& vertices, const Tets& tets, const Tets& regions) {
    return save_mesh(file, mesh_of(vertices, tets, regions)).messages;
  });
  m.def("read_mesh", [](const std::string& file) {
    const LoadedMesh loaded = read_mesh(file);
    if (!loaded.has_tets())
      throw Error("{}: a surface without tetrahedra; brio.mesh(\"{}\") fills it", file, file);
    return parts_of(loaded);
  });
  m.def("fill_shape", [](const std::string& shape, std::optional<int> vertices, std::optional<double> size, bool graded,
                         const std::string& keep) {
    LoadedMesh loaded;
    {
      const py::gil_scoped_release release;
      loaded = filled(shape, vertices, size, graded, keep);
    }
    return parts_of(loaded);
  });
}

}  // namespace brio::python
