// Potential energies that are written in Python.

#include "brio/core/error.hpp"
#include "brio/extend/registry.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callback.hpp"
#include <limits>
#include <map>

namespace brio::python {
namespace {

using Ints = py::array_t<int, py::array::c_style>;
using Numbers = py::array_t<double, py::array::c_style>;

/// `evaluate(x, t, hessian, psd)` of the package gives the energy, its gradient and, where asked for, the second derivatives
/// as triplets over the coordinates of the set, all checked.
class EnergyInPython : public Energy {
 public:
  EnergyInPython(std::shared_ptr<const Callback> evaluate, std::vector<int> vertices, bool hessian,
                 std::vector<std::pair<int, int>> pairs)
      : Energy(Ledger::elastic),
        evaluate_(std::move(evaluate)),
        vertices_(std::move(vertices)),
        hessian_(hessian),
        pairs_(std::move(pairs)) {}

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override {
    const bool second = want.hessian != nullptr;
    const bool answered = evaluate_->call([&](const py::object& function) {
      Rows places({static_cast<py::ssize_t>(vertices_.size()), py::ssize_t{3}});
      double* at = places.mutable_data();
      for (size_t i = 0; i < vertices_.size(); ++i) Eigen::Map<Vec3>(at + 3 * i) = x.segment<3>(3 * vertices_[i]);
      const py::tuple answer = function(places, t, second, second && want.psd == Psd::clamp);
      if (want.value) *want.value += answer[0].cast<double>();
      if (want.gradient) {
        const Numbers gradient = answer[1].cast<Numbers>();
        for (size_t i = 0; i < vertices_.size(); ++i)
          want.gradient->segment<3>(3 * vertices_[i]) += Eigen::Map<const Vec3>(gradient.data() + 3 * i);
      }
      if (second) add_hessian(answer[2].cast<Ints>(), answer[3].cast<Ints>(), answer[4].cast<Numbers>(), *want.hessian);
    });
    if (answered) return;
    if (want.value) *want.value = std::numeric_limits<double>::quiet_NaN();
    if (want.gradient) want.gradient->setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  bool has_hessian() const override { return hessian_; }
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override {
    for (const auto& [i, j] : pairs_) pairs.emplace_back(vertices_[i], vertices_[j]);
  }
  void attach(const BlockLayout& layout) override {
    slots_.clear();
    const auto find = [&](int i, int j) {
      const int row = layout.dof[vertices_[i]], column = layout.dof[vertices_[j]];
      slots_[{i, j}] = row < 0 || column < 0 ? Slot{-1, false} : Slot{layout.pattern->slot(row, column), row >= column};
    };
    for (int i = 0; i < static_cast<int>(vertices_.size()); ++i) find(i, i);
    for (const auto& [i, j] : pairs_) find(i, j), find(j, i);
  }
  bool time_dependent() const override { return true; }
  bool internal() const override { return false; }
  /// Nobody knows whether it holds its vertices; a piece that does not count as free is stepped without a frame of its
  /// own, which is right for either.
  void add_held(std::vector<int>& vertices) const override {
    vertices.insert(vertices.end(), vertices_.begin(), vertices_.end());
  }

 private:
  struct Slot {
    int slot;
    bool lower;  ///< whether the block (i, j) is the one that is stored, and not its mirror image
  };

  void add_hessian(const Ints& rows, const Ints& columns, const Numbers& values, BlockMatrix& hessian) const {
    for (py::ssize_t n = 0; n < values.size(); ++n) {
      const int r = rows.data()[n], c = columns.data()[n];
      const auto found = slots_.find({r / 3, c / 3});
      if (found == slots_.end())
        throw Error(
            "the second derivative couples vertices {} and {} of the set, which the pairs of @brio.energy do not name",
            r / 3, c / 3);
      if (found->second.slot < 0 || !found->second.lower) continue;
      hessian.block(found->second.slot)[3 * (r % 3) + c % 3] += values.data()[n];
    }
  }

  std::shared_ptr<const Callback> evaluate_;
  std::vector<int> vertices_;
  bool hessian_;
  std::vector<std::pair<int, int>> pairs_;
  std::map<std::pair<int, int>, Slot> slots_;
};

}  // namespace

/// What the package registers: `make(values, vertices, x0)` gives the function, whether it has second derivatives, and
/// the pairs of vertices that these couple, as places in the set.
void bind_energy(py::module_& m) {
  m.def("add_energy", [](const std::string& name, const std::string& summary,
                         const std::map<std::string, double>& options, const py::object& make) {
    std::vector<Option> described;
    for (const auto& [key, value] : options)
      described.push_back(Option::number(key, "", "passed on to the function").with_default(value));
    PyObject* kept = make.inc_ref().ptr();  // rows stay until the process ends
    Registry("brio.energy").add_energy({{name, summary, described},
        [kept, options](const Options& o, const EnergyTarget& target) -> std::unique_ptr<Energy> {
          std::map<std::string, double> values;
          for (const auto& [key, value] : options) values[key] = o.number(key);
          const py::gil_scoped_acquire gil;
          const py::tuple made = py::reinterpret_borrow<py::object>(kept)(
              values, copied(target.vertices), copied(MatrixX3d(target.x0(target.vertices, Eigen::all))));
          return std::make_unique<EnergyInPython>(std::make_shared<const Callback>(made[0]), target.vertices,
                                                  made[1].cast<bool>(),
                                                  made[2].cast<std::vector<std::pair<int, int>>>());
        }});
  });
}

}  // namespace brio::python
