#pragma once
// The report on a mesh as text, as JSON, and as a page with a 3D view.

#include "brio/core/json.hpp"
#include "brio/mesh/inspection.hpp"

#include <filesystem>
#include <optional>

namespace brio {

std::string describe(const LoadedMesh& mesh, const MeshInspection& inspection, const std::string& name);
Json inspection_json(const LoadedMesh& mesh, const MeshInspection& inspection);

/// report.html, a self-contained page, and mesh.json into the folder, which is made. `wall_s` is how long making the
/// mesh took [s], where it was made.
void write_mesh_page(const std::filesystem::path& folder, const std::string& name, const LoadedMesh& mesh,
                     const MeshInspection& inspection, std::optional<double> wall_s = {});

}  // namespace brio
