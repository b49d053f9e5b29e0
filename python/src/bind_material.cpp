// Laws in principal stretches that are written in Python.

#include "brio/extend/registry.hpp"
#include "brio/material/isotropic_material.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callback.hpp"
#include <limits>
#include <map>

namespace brio::python {
namespace {

/// `evaluate(s, order)` of the package gives, for n columns of three stretches, the energy (order 0, one row), its first
/// (order 1, three rows) or its second derivatives (order 2, nine rows).
struct LawInPython {
  std::shared_ptr<const Callback> evaluate;

  template <int kRows>
  void ask(const double* s, int n, double* answer) const {
    constexpr int kOrder = kRows == 1 ? 0 : kRows == 3 ? 1 : 2;
    const bool answered = evaluate->call([&](const py::object& function) {
      const Rows given({3, n}, s);
      const Rows found = function(given, kOrder);
      std::copy(found.data(), found.data() + kRows * n, answer);
    });
    if (!answered) std::fill(answer, answer + kRows * n, std::numeric_limits<double>::quiet_NaN());
  }

  template <int kRows>
  void ask(const V3<double>& s, double* answer) const {
    ask<kRows>(s.e, 1, answer);
  }
  template <int kRows>
  BRIO_INLINE void ask(const V3<Pack>& s, Pack* answer) const {
    alignas(64) double in[3 * kLanes], out[kRows * kLanes];
    for (int i = 0; i < 3; ++i)
      for (int lane = 0; lane < kLanes; ++lane) in[kLanes * i + lane] = s[i][lane];
    ask<kRows>(in, kLanes, out);
    for (int i = 0; i < kRows; ++i)
      for (int lane = 0; lane < kLanes; ++lane) answer[i][lane] = out[kLanes * i + lane];
  }

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    T energy{};
    ask<1>(s, &energy);
    return energy;
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    V3<T> stress{};
    ask<3>(s, stress.e);
    return stress;
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    M3<T> A{};
    ask<9>(s, &A.e[0][0]);
    return A;
  }
};

}  // namespace

/// What the package registers: `make(values)` gives the function of a law with these values of its options.
void bind_material(py::module_& m) {
  m.def("add_material", [](const std::string& name, const std::string& summary,
                           const std::map<std::string, double>& options, const py::object& make) {
    std::vector<Option> described;
    for (const auto& [key, value] : options)
      described.push_back(Option::number(key, "", "passed on to the function").with_default(value));
    PyObject* kept = make.inc_ref().ptr();  // rows stay until the process ends
    Registry("brio.material").add_isotropic_law({{name, summary, described}, [kept, options](const Options& o) {
      std::map<std::string, double> values;
      for (const auto& [key, value] : options) values[key] = o.number(key);
      const py::gil_scoped_acquire gil;
      const py::object function = py::reinterpret_borrow<py::object>(kept)(values);
      auto evaluate = std::make_shared<const Callback>(function);
      const py::gil_scoped_release release;
      return make_isotropic(LawInPython{evaluate});
    }});
  });
}

}  // namespace brio::python
