#pragma once
// Runs that are broken off: starting and ending them, and what must be true of the files that they leave.

#include "apps/program.hpp"
#include <sys/types.h>

namespace brio::testing {

/// A bar that swings and is cut at step 30 of 60, with frames in every format that grows.
inline constexpr const char* kSwing = R"({
  "name": "swing",
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
  "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}, "tip": {"select": "extreme", "axis": "x", "side": "max"}},
  "constraints": [{"set": "wall"}],
  "integrator": {"name": "siere", "modes": 3, "h": 0.001},
  "cuts": [{"time": 0.03, "kind": "plane", "point": [0.25, 0, 0], "normal": [1, 0.2, 0]}],
  "steps": 60, "output": {"every": 4, "probe": "tip", "frames": ["vtu", "npz", "glb", "pc2", "mdd", "obj"]}})";

std::string scene_in(const std::filesystem::path& folder, const char* text = kSwing);

/// By the rules of each format. After kill -9 the file that was being written may be there under its temporary name.
void expect_whole_files(const std::filesystem::path& folder, bool after_kill = false);

/// Everything but checkpoints, timings and pages.
void expect_same_results(const std::filesystem::path& one, const std::filesystem::path& other);

/// Starts the program and leaves it to itself.
pid_t started(const std::vector<std::string>& arguments);

/// Waits until the table has so many lines, then sends the signal; returns how the program ended.
int signaled(pid_t child, const std::filesystem::path& table, int lines, int signal);

}  // namespace brio::testing
