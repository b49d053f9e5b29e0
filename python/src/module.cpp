// The module _brio: what the package brio is written on. Its functions take and give plain values; texts for people,
// checks of arguments and classes are in the package.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include "bindings.hpp"

PYBIND11_MODULE(_brio, m) {
  using namespace brio;
  namespace py = pybind11;
  m.doc() = "The C++ side of the package brio.";
  m.attr("version") = BRIO_VERSION;
  py::register_exception<Error>(m, "Error", PyExc_ValueError);
  m.def("set_threads", &set_thread_count);
  m.def("threads", &thread_count);
  python::bind_scene(m);
  python::bind_session(m);
  python::bind_mesh(m);
  python::bind_experiments(m);
  python::bind_material(m);
  python::bind_energy(m);
  python::register_steered();
  python::log_to_python();
  python::load_engines_on_demand();
}
