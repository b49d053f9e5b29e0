#pragma once
// Python functions that C++ calls in the middle of a step, on whatever thread. What they raise must not pass through an
// integrator: it is kept, the numbers become NaN, the step ends as diverged with the state as it was, and whoever
// asked for the step raises it then.

#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace brio::python {

namespace py = pybind11;

/// The first exception of the callbacks of one simulation.
class CallbackErrors {
 public:
  void keep(std::exception_ptr error);
  bool any() const;
  /// Throws it and forgets it. With the GIL.
  void rethrow();
  std::atomic<int> callbacks = 0;  ///< that report here

 private:
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

/// While it lives, callbacks that this thread makes report to these errors.
class CollectErrors {
 public:
  explicit CollectErrors(std::shared_ptr<CallbackErrors> errors);
  ~CollectErrors();
  CollectErrors(const CollectErrors&) = delete;
  CollectErrors& operator=(const CollectErrors&) = delete;
  static std::shared_ptr<CallbackErrors> current();

 private:
  std::shared_ptr<CallbackErrors> before_;
};

/// Of the simulation whose callback this thread is in; null where it is in none.
const CallbackErrors*& callback_of_this_thread();

/// A Python function, and where its exceptions go.
class Callback {
 public:
  explicit Callback(py::object function);
  ~Callback();
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  /// Calls work(function) with the GIL; false where it raised, or another callback of the simulation has.
  template <class Work>
  bool call(const Work& work) const {
    if (errors_->any()) return false;
    const py::gil_scoped_acquire gil;
    const CallbackErrors* before = std::exchange(callback_of_this_thread(), errors_.get());
    bool done = false;
    try {
      work(function_);
      done = true;
    } catch (...) {
      errors_->keep(std::current_exception());
    }
    callback_of_this_thread() = before;
    return done;
  }

 private:
  py::object function_;
  std::shared_ptr<CallbackErrors> errors_;
};

}  // namespace brio::python
