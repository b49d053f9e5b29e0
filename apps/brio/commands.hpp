#pragma once
// The subcommands of brio. Each adds itself to the command line; the one that is called leaves what is to be done in
// `command`, which returns the exit code.

#include "command_line.hpp"
#include <functional>

namespace brio {

/// What the program tells the shell. An interrupted run ends as the shell's own convention has it: 128 + SIGINT.
enum ExitCode { kOk = 0, kUnexpected = 1, kRefused = 2, kDiverged = 3, kCannotWrite = 4, kInterrupted = 130 };

using Command = std::function<int()>;

void add_run(CommandLine& app, Command& command);
void add_resume(CommandLine& app, Command& command);
void add_report(CommandLine& app, Command& command);
void add_compare(CommandLine& app, Command& command);
void add_advise(CommandLine& app, Command& command);
void add_quasistatic(CommandLine& app, Command& command);
void add_modes(CommandLine& app, Command& command);
void add_damping(CommandLine& app, Command& command);
void add_reproduce(CommandLine& app, Command& command);
void add_mesh(CommandLine& app, Command& command);
void add_converge(CommandLine& app, Command& command);
void add_converge_mesh(CommandLine& app, Command& command);
void add_material(CommandLine& app, Command& command);
void add_info(CommandLine& app, Command& command);
void add_convert(CommandLine& app, Command& command);
void add_check(CommandLine& app, Command& command);
void add_live(CommandLine& app, Command& command);
void add_list(CommandLine& app, Command& command);
void add_schema(CommandLine& app, Command& command);

}  // namespace brio
