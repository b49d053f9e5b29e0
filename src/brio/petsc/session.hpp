#pragma once
// PETSc and MPI for the life of the process, and what their error codes mean.

#include <petscksp.h>
#include <string>

namespace brio {

/// Begins MPI and PETSc, once; both end with the process.
void begin_petsc();

/// Throws Error with what PETSc says, where a call has failed.
void check_petsc(PetscErrorCode code);

/// Whether PETSc was built with a package for factorizations ("mumps").
bool petsc_has_factor(const char* package);

/// Puts options ("-ksp_type cg -pc_type gamg") among those that PETSc knows of, in place of those given before.
void set_petsc_options(const std::string& options);

/// Those of the options set last that nothing has asked for, with names as they were given.
std::vector<std::string> unused_petsc_options();

/// What -ksp_type, -pc_type … say; the fallback where nobody has said so.
std::string petsc_option(const std::string& name, const std::string& fallback);

/// A handle of PETSc that is destroyed with it.
template <class T, PetscErrorCode (*destroy)(T*)>
class Handle {
 public:
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }
  operator T() const { return value_; }
  T* reset() {  ///< to be filled
    PetscBool ended = PETSC_FALSE;
    PetscFinalized(&ended);
    if (value_ && !ended) destroy(&value_);
    value_ = nullptr;
    return &value_;
  }

 private:
  T value_ = nullptr;
};
using MatHandle = Handle<Mat, MatDestroy>;
using VecHandle = Handle<Vec, VecDestroy>;
using KspHandle = Handle<KSP, KSPDestroy>;
using ScatterHandle = Handle<VecScatter, VecScatterDestroy>;

}  // namespace brio
