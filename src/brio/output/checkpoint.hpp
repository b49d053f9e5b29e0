#pragma once
// Checkpoints in the folder of a run: what another process needs to go on with it. Each is written beside the older
// one, brought to the disk and given its name then, so that there is a whole one at any moment; the newest two are
// kept.
//
// Layout: the line "brio checkpoint", a line of JSON with the size and the checksum of what follows, and that: the
// bytes of an Archive. run.json, written when the run begins, has the same JSON without them.

#include "brio/core/json.hpp"
#include "brio/scene/simulation.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace brio {

/// Which run it is.
struct RunIdentity {
  std::string version;  ///< of the program
  std::filesystem::path scene_file;
  std::string scene;   ///< its text, with what was put in the place of its values
  std::string bodies;  ///< a checksum of the bodies that it begins with

  static RunIdentity of(const Simulation& simulation, const std::string& version);
};

struct StoredRun {
  RunIdentity identity;
  int step = 0;
  double time = 0;     ///< [s]
  std::string stored;  ///< bytes of the Archive; empty where the run has only begun
};

class Checkpoints {
 public:
  Checkpoints(std::filesystem::path folder, RunIdentity identity)
      : folder_(std::move(folder)), identity_(std::move(identity)) {}

  /// Notes in run.json which run the folder is of. A run from the beginning takes the checkpoints of an earlier one
  /// away.
  void begin(bool from_the_beginning) const;
  void write(int step, double time, const std::string& stored) const;
  /// Leaves only the newest one.
  void end() const { keep(1); }

 private:
  void keep(size_t newest) const;

  std::filesystem::path folder_;
  RunIdentity identity_;
};

/// Whether a run was ever begun in the folder.
bool has_run(const std::filesystem::path& folder);

/// Takes the checkpoints and the note of the run that began in the folder away.
void forget_run(const std::filesystem::path& folder);

/// Which run began in the folder. Throws Error where none did.
RunIdentity begun_run(const std::filesystem::path& folder);

/// The newest checkpoint that is whole, or the run that began in the folder and has none yet. Throws Error where no run
/// was ever begun.
StoredRun newest_checkpoint(const std::filesystem::path& folder);

/// Throws Error, naming what differs, where a stored run is not one of this scene with this program. Only the length
/// and the name of the scene may be others.
void refuse_other_run(const std::filesystem::path& folder, const RunIdentity& stored, const RunIdentity& now);

}  // namespace brio
