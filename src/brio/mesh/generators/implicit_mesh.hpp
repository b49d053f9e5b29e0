#pragma once
// From a solid with named regions to a mesh with named parts.

#include "brio/mesh/generators/generators.hpp"
#include "brio/mesh/stuffing/stuffing.hpp"

#include <string>
#include <utility>
#include <vector>

namespace brio {

struct SolidModel {
  SolidPointer body;
  /// Named parts of the body. The n-th becomes region n, the rest is region 0; where two overlap, the first counts.
  std::vector<std::pair<std::string, SolidPointer>> regions;
};

/// Fills the body. A tetrahedron belongs to the region that contains its centroid; the vertices of a region's
/// tetrahedra are the vertex set of its name.
LoadedMesh fill(const SolidModel& model, const StuffingTarget& target, const StuffingProgress& progress = {});

constexpr int kDefaultVertices = 5000;

/// "size" and "vertices", of which one may be given, "graded" and "keep"; the text says how many vertices there are
/// without them.
std::vector<Option> target_options(const std::string& default_vertices);
StuffingTarget target_of(const Options& options, int default_vertices);
/// The names of `Keep`, for options, and back.
const std::vector<std::string>& keep_names();
Keep keep_of(const std::string& name);

/// The regions of an option.
std::vector<std::pair<std::string, SolidPointer>> make_regions(const Items& items);

GeneratorEntry shape_generator();

}  // namespace brio
