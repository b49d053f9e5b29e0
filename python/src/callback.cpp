#include "callback.hpp"

namespace brio::python {

void CallbackErrors::keep(std::exception_ptr error) {
  const std::lock_guard guard(mutex_);
  if (!error_) error_ = std::move(error);
}

bool CallbackErrors::any() const {
  const std::lock_guard guard(mutex_);
  return static_cast<bool>(error_);
}

void CallbackErrors::rethrow() {
  std::exception_ptr error;
  {
    const std::lock_guard guard(mutex_);
    std::swap(error, error_);
  }
  if (error) std::rethrow_exception(error);
}

const CallbackErrors*& callback_of_this_thread() {
  static thread_local const CallbackErrors* inside = nullptr;
  return inside;
}

static thread_local std::shared_ptr<CallbackErrors> collecting;

CollectErrors::CollectErrors(std::shared_ptr<CallbackErrors> errors) : before_(std::move(collecting)) {
  collecting = std::move(errors);
}

CollectErrors::~CollectErrors() { collecting = std::move(before_); }

std::shared_ptr<CallbackErrors> CollectErrors::current() {
  return collecting ? collecting : std::make_shared<CallbackErrors>();
}

Callback::Callback(py::object function) : function_(std::move(function)), errors_(CollectErrors::current()) {
  ++errors_->callbacks;
}

Callback::~Callback() {
  --errors_->callbacks;
  const py::gil_scoped_acquire gil;
  function_ = py::object();
}

}  // namespace brio::python
