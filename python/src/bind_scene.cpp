// Scenes as text, and the tables that they can name.

#include "brio/output/scene_tables.hpp"
#include "brio/output/table_sections.hpp"
#include "brio/scene/default_text.hpp"
#include "brio/scene/scene.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace brio::python {
namespace {

py::dict option_dict(const Option& option) {
  py::dict row;
  row["key"] = option.key;
  row["expected"] = option.expected();
  row["default"] = default_text(option);
  row["unit"] = option.unit;
  row["doc"] = option.doc;
  return row;
}

/// (kind, title, [(name, summary, [option])])
py::list sections() {
  py::list list;
  for (const TableSection& section : table_sections()) {
    py::list rows;
    for (const Entry& entry : section.rows) {
      py::list options;
      for (const Option& option : entry.options) options.append(option_dict(option));
      rows.append(py::make_tuple(entry.name, entry.summary, options));
    }
    list.append(py::make_tuple(section.kind, section.title, rows));
  }
  return list;
}

}  // namespace

void bind_scene(py::module_& m) {
  py::class_<Scene>(m, "Scene")
      .def_readonly("text", &Scene::text)
      .def_property_readonly("file", [](const Scene& scene) { return scene.file.string(); })
      .def_readonly("name", &Scene::name)
      .def_readonly("description", &Scene::description)
      .def_readonly("h", &Scene::h)
      .def_readonly("steps", &Scene::steps)
      .def_property_readonly("integrator", [](const Scene& scene) { return scene.integrator.name; });
  m.def(
      "load_scene",
      [](const std::string& file, const std::vector<std::string>& overrides) {
        return load_scene(file, scene_tables(), overrides);
      },
      py::call_guard<py::gil_scoped_release>());
  m.def(
      "parse_scene",
      [](const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
        return parse_scene(text, file, scene_tables(), overrides);
      },
      py::call_guard<py::gil_scoped_release>());
  m.def("sections", &sections);
}

}  // namespace brio::python
