#pragma once
// The state of a system, with what an integrator carries from step to step. Each thing carried has a name and a kind,
// so that frames, cuts and whoever stores a state treat every method alike.

#include "brio/core/archive.hpp"
#include "brio/core/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brio {

/// One thing that an integrator remembers.
struct Remembered {
  enum class Kind {
    directions,  ///< vectors over the degrees of freedom, one column after the other; they turn with a moving frame
    numbers      ///< whatever has no direction in space
  };

  std::string name;
  Kind kind = Kind::numbers;
  int columns = 1;  ///< of directions: how many, so that there are columns x degrees of freedom values
  VectorXd values;
  /// Directions that still mean something on the body that a cut makes of this one, as the shapes of modes do. All
  /// else is left behind by a cut.
  bool follows_cut = false;

  void archive(Archive& archive) { archive(name, kind, columns, values, follows_cut); }

  bool operator==(const Remembered& other) const {
    return name == other.name && kind == other.kind && columns == other.columns && follows_cut == other.follows_cut &&
           values.size() == other.values.size() && values == other.values;
  }
};

/// The one with that name, or null.
inline const Remembered* find_remembered(const std::vector<Remembered>& memory, std::string_view name) {
  for (const Remembered& remembered : memory)
    if (remembered.name == name) return &remembered;
  return nullptr;
}

/// All that the next step depends on.
struct State {
  double t = 0;                    ///< [s]
  VectorXd q;                      ///< positions of the degrees of freedom [m]
  VectorXd v;                      ///< their velocities [m/s]
  std::vector<Remembered> memory;  ///< whatever else an integrator carries from step to step

  void archive(Archive& archive) { archive(t, q, v, memory); }
};

}  // namespace brio
