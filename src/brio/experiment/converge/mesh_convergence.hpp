#pragma once
// What a finer mesh changes: a quantity of a scene's body on its mesh, and on the same with each tetrahedron divided into
// eight, again and again, with linear and with quadratic elements; and the value that they tend to.

#include "brio/core/table.hpp"
#include "brio/scene/simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brio {

/// Something to look at.
struct MeshQuantity : Entry {
  std::string unit;
  /// Of a simulation that was just built; it may change the state.
  std::function<double(Simulation&)> measure;
};

/// tip, energy, frequency, stress.
const std::vector<MeshQuantity>& mesh_quantities();

struct MeshLevel {
  int refine = 0, vertices = 0, elements = 0;
  double value = 0, seconds = 0;
};

struct MeshCurve {
  int order = 1;
  std::vector<MeshLevel> levels;
  /// Where the last three lead if each division changes the value by the same factor (Aitken); nothing where they do
  /// not settle, or change so slowly that more is left than was seen.
  std::optional<double> limit;
  std::optional<double> rate;  ///< p, where the error falls with the p-th power of the elements' size
};

/// The limit and the rate of the last three values.
void extrapolate(MeshCurve& curve);

/// Levels 0 … levels - 1 of both orders; a level of more than `most_vertices` is left out. `on_level` hears of each.
std::vector<MeshCurve> study_meshes(const Scene& scene, const MeshQuantity& quantity, int levels, int most_vertices,
                                    const std::function<void(const MeshCurve&)>& on_level);

}  // namespace brio
