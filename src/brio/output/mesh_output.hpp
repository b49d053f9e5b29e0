#pragma once
// What `brio info` says of a mesh: in words, as JSON, and as a page with the body to turn around.

#include "brio/mesh/inspection.hpp"

#include <nlohmann/json_fwd.hpp>

namespace brio {

std::string describe(const LoadedMesh& mesh, const MeshInspection& inspection, const std::string& name);
nlohmann::ordered_json inspection_json(const LoadedMesh& mesh, const MeshInspection& inspection);

/// Writes folder/report.html and folder/mesh.json.
void write_mesh_page(const std::filesystem::path& folder, const std::string& name, const LoadedMesh& mesh,
                     const MeshInspection& inspection);

}  // namespace brio
