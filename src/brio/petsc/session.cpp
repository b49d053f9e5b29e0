#include "brio/petsc/session.hpp"

#include "brio/core/error.hpp"
#include "brio/petsc/mpi_ranks.hpp"

#include <cstdlib>
#include <sstream>
#include <vector>

namespace brio {
namespace {

/// What PETSc said first about the error that is on its way up.
std::string& told() {
  static std::string text;
  return text;
}

PetscErrorCode keep_message(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType type,
                            const char* message, void*) {
  if (type == PETSC_ERROR_INITIAL) told() = message ? message : "";
  return code;
}

std::vector<std::string>& given() {
  static std::vector<std::string> options;
  return options;
}

bool names_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1])) && word[1] != '.';
}

}  // namespace

void begin_petsc() {
  PetscBool begun = PETSC_FALSE;
  PetscInitialized(&begun);
  if (begun) return;
  int threads = 0, mpi = 0;
  MPI_Initialized(&mpi);
  if (!mpi) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
  // Signals are brio's: an interrupted run ends after its step. Files of options are left alone, so that a scene does
  // the same for everybody; PETSC_OPTIONS is read.
  std::string words[] = {"brio", "-no_signal_handler", "-skip_petscrc"};
  char* raw[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  char** arguments = raw;
  int count = 3;
  if (PetscInitialize(&count, &arguments, nullptr, nullptr) != 0) throw Error("PETSc cannot be started");
  PetscPushErrorHandler(keep_message, nullptr);
  set_ranks(std::make_unique<MpiRanks>());
  std::atexit([] {
    set_ranks(std::make_unique<Ranks>());
    PetscFinalize();
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Finalize();
  });
}

void check_petsc(PetscErrorCode code) {
  if (code == 0) return;
  std::string text = std::exchange(told(), {});
  if (text.empty()) {
    const char* general = nullptr;
    PetscErrorMessage(code, &general, nullptr);
    text = general ? general : "an error without a name";
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  throw Error("PETSc: {}", text);
}

bool petsc_has_factor(const char* package) {
  PetscBool known = PETSC_FALSE, has_type = PETSC_FALSE;
  MatSolverTypeGet(package, MATAIJ, MAT_FACTOR_CHOLESKY, &known, &has_type, nullptr);
  if (!has_type) MatSolverTypeGet(package, MATMPIAIJ, MAT_FACTOR_CHOLESKY, &known, &has_type, nullptr);
  return has_type;
}

void set_petsc_options(const std::string& options) {
  static std::string now;
  if (options == now) return;  // and PETSc still knows which of them were asked for
  now = options;
  for (const std::string& name : given()) check_petsc(PetscOptionsClearValue(nullptr, name.c_str()));
  given().clear();
  std::istringstream words(options);
  for (std::string word; words >> word;)
    if (names_option(word)) given().push_back(word);
  check_petsc(PetscOptionsInsertString(nullptr, options.c_str()));
}

std::vector<std::string> unused_petsc_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check_petsc(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::vector<std::string> unused;
  for (const std::string& name : given())
    for (PetscInt i = 0; i < count; ++i)
      if (name.compare(1, std::string::npos, names[i]) == 0) {
        unused.push_back(name);
        break;
      }
  PetscOptionsLeftRestore(nullptr, &count, &names, &values);
  return unused;
}

std::string petsc_option(const std::string& name, const std::string& fallback) {
  char value[128];
  PetscBool there = PETSC_FALSE;
  check_petsc(PetscOptionsGetString(nullptr, nullptr, name.c_str(), value, sizeof value, &there));
  return there ? value : fallback;
}

}  // namespace brio
