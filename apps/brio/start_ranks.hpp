#pragma once
// brio under mpirun or srun: several processes with one voice. The library that knows MPI is loaded when it is needed.

#include <string>
#include <vector>

namespace brio {

/// Brings the ranks together where a launcher has started several; all but the first are silent from then on. Throws
/// Error where that cannot be, for a command that one process must do alone, too. Makes engines with a library of their
/// own, beside the program, known to scenes that ask for them.
void start_ranks(int argc, char** argv);

/// Whether to say something before or without start_ranks(): the launcher's first process, or the only one.
bool is_first_process();

/// Of an engine with a library of its own, whether it is here or how to get it, to be put behind its description.
std::string availability(const std::string& engine);

/// Prints the error once for all ranks and ends them all; returns the code for this one. Where only this rank has
/// failed, the others are ended, too.
int fail_once(const std::string& text, int code);

/// Prints the lines of a message to standard error.
int report(const std::string& text, int code);

/// Takes options in PETSc's own language (-ksp_type cg) out of the arguments.
void take_engine_options(int& argc, char** argv);
/// Those that were taken, as one text.
const std::string& taken_engine_options();

}  // namespace brio
