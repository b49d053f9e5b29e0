// Whole runs and comparisons into folders, as the program does them.

#include "brio/core/error.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/file.hpp"
#include "brio/experiment/compare/compare_output.hpp"
#include "brio/output/run_folder.hpp"
#include "brio/output/scene_tables.hpp"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "callback.hpp"
#include <chrono>

namespace brio::python {
namespace {

/// Called after each step with the label of the run, its step and how many there are; what it raises, and Ctrl-C, ends
/// the run.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}

  void step(const std::string& label, int step, int steps) {
    if (progress_.is_none() && !due()) return;
    const py::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(label, step, steps);
    } catch (...) {
      errors_->keep(std::current_exception());
    }
  }
  bool stop() const { return errors_->any(); }
  const std::shared_ptr<CallbackErrors>& errors() const { return errors_; }

 private:
  /// Signals need not be looked at more often than people notice.
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(20)) return false;
    last_ = now;
    return true;
  }

  py::object progress_;
  std::shared_ptr<CallbackErrors> errors_ = std::make_shared<CallbackErrors>();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// (status, message, steps)
py::tuple run_into(const Scene& scene, const std::string& folder, bool resume, double checkpoint_every,
                   const py::object& progress) {
  Watch watch(progress);
  RunResult result;
  {
    const py::gil_scoped_release release;
    const CollectErrors collect(watch.errors());
    Simulation simulation = build_simulation(scene);
    RunFolder run(folder, scene, simulation, BRIO_VERSION);
    std::optional<StoredRun> stored = resume ? run.find_stored() : std::nullopt;
    auto last = std::chrono::steady_clock::now();
    RunFolder::Caller caller;
    caller.on_step = [&](const StepRecord& record) { watch.step(scene.name, record.step, scene.steps); };
    caller.stop = [&] { return watch.stop(); };
    caller.checkpoint_due = [&](int) {
      const auto now = std::chrono::steady_clock::now();
      if (std::chrono::duration<double>(now - last).count() < checkpoint_every) return false;
      last = now;
      return true;
    };
    result = run.run(caller, std::move(stored));
  }
  watch.errors()->rethrow();
  return py::make_tuple(to_string(result.status), result.message, result.steps);
}

void compare_into(const Scene& scene, const std::string& integrators, const std::string& reference,
                  const std::string& folder, const py::object& progress) {
  Watch watch(progress);
  {
    const py::gil_scoped_release release;
    const CollectErrors collect(watch.errors());
    const ComparePlan plan = plan_comparison(scene, scene_tables(), integrators, reference);
    std::optional<FolderLock> lock;
    std::optional<CompareOutput> output;
    CompareListener listener;
    listener.on_begin = [&](const PlannedRun&, const Simulation&) {
      if (output) return;
      lock.emplace(create_folder(folder));
      output.emplace(folder);
    };
    listener.on_step = [&](const PlannedRun& run, const StepRecord& record) {
      output->on_step(run, record);
      watch.step(run.label, record.step, run.scene.steps);
    };
    listener.on_end = [&](const ComparedRun&, const Comparison& so_far) { output->write(plan, so_far); };
    listener.stop = [&] { return watch.stop(); };
    compare(plan, listener);
  }
  watch.errors()->rethrow();
}

}  // namespace

void bind_experiments(py::module_& m) {
  m.def("run", &run_into);
  m.def("compare", &compare_into);
}

}  // namespace brio::python
