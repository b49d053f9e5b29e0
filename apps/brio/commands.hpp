#pragma once
// The subcommands of brio. Each adds itself to the command line; the one that is called leaves what is to be done in
// `command`, which returns the exit code.

#include <CLI/CLI.hpp>

#include <functional>

namespace brio {

/// What the program tells the shell. An interrupted run ends as the shell's own convention has it: 128 + SIGINT.
enum ExitCode { kOk = 0, kUnexpected = 1, kRefused = 2, kDiverged = 3, kInterrupted = 130 };

using Command = std::function<int()>;

void add_run(CLI::App& app, Command& command);
void add_compare(CLI::App& app, Command& command);
void add_advise(CLI::App& app, Command& command);
void add_quasistatic(CLI::App& app, Command& command);
void add_modes(CLI::App& app, Command& command);
void add_damping(CLI::App& app, Command& command);
void add_reproduce(CLI::App& app, Command& command);
void add_mesh(CLI::App& app, Command& command);
void add_converge(CLI::App& app, Command& command);
void add_material(CLI::App& app, Command& command);
void add_info(CLI::App& app, Command& command);
void add_convert(CLI::App& app, Command& command);
void add_check(CLI::App& app, Command& command);
void add_list(CLI::App& app, Command& command);
void add_schema(CLI::App& app, Command& command);

}  // namespace brio
