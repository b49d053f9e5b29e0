#include "brio/output/mesh_page.hpp"

#include "brio/mesh/surface.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <nlohmann/json.hpp>

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

Json facts_json(const LoadedMesh& loaded, const MeshFacts& facts) {
  const MeshQuality& q = facts.quality;
  Json regions = Json::array();
  for (const auto& [region, name] : loaded.region_names) regions.push_back(name);
  return {{"vertices", loaded.mesh.vertices()},
          {"elements", loaded.mesh.tets()},
          {"components", facts.components},
          {"volume", q.volume},
          {"least_dihedral", q.least_dihedral},
          {"most_dihedral", q.most_dihedral},
          {"worst_aspect", q.worst_aspect},
          {"worst_tet", q.worst_tet},
          {"least_edge", q.least_edge},
          {"size", facts.size},
          {"regions", regions},
          {"messages", loaded.messages},
          {"wall_s", facts.wall_s}};
}

}  // namespace

void write_mesh_page(const std::filesystem::path& path, const LoadedMesh& loaded, const MeshFacts& facts) {
  const TetMesh& mesh = loaded.mesh;
  Recording recording({mesh.vertices(), mesh.T, boundary_triangles(mesh), {}, mesh.region}, {});
  const MatrixX3d still = MatrixX3d::Zero(mesh.vertices(), 3);
  recording.add({0, mesh.X, still, VectorXd::Zero(mesh.vertices()), {}});
  const Json head = {{"kind", "mesh"}, {"title", facts.name}, {"description", ""}, {"up", vec_json(Vec3::UnitY())}};
  write_page(path, report_template(), [&](OutputFile& file) {
    write_with_list(file, head, "runs", 1, [&](size_t) {
      write_recording(file, {{"name", facts.name}, {"summary", facts_json(loaded, facts)}, {"series", Json::object()}},
                      recording);
    });
  });
}

}  // namespace brio
