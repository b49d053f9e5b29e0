#pragma once
// The parts of the module _brio, one function for each file.

#include <pybind11/pybind11.h>

namespace brio::python {

namespace py = pybind11;

void bind_scene(py::module_& m);
void bind_session(py::module_& m);
void bind_mesh(py::module_& m);
void bind_experiments(py::module_& m);
void bind_material(py::module_& m);
void bind_energy(py::module_& m);

/// Makes the rows of forces and motions that Python sets known to scenes.
void register_steered();

void log_to_python();

void load_engines_on_demand();

}  // namespace brio::python
