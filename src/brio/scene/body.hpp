#pragma once
// The body that a scene describes: its mesh, made or read, mended and put in place, with masses and elastic energy.

#include "brio/energy/elastic_energy.hpp"
#include "brio/mesh/embedding.hpp"
#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"
#include "brio/scene/bones.hpp"
#include "brio/scene/scene.hpp"
#include "brio/scene/vertex_sets.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brio {

struct Body {
  TetMesh mesh;   ///< of a solid
  SpringNet net;  ///< of a spring net
  std::optional<BoneBody> bones;
  MatrixX3i triangles;
  std::shared_ptr<const Skin> skin;         ///< carried by the mesh; may be null
  VertexSets groups;                        ///< named in the mesh file
  std::map<int, std::string> region_names;  ///< in the mesh file
  VectorXd vertex_mass;                     ///< [kg]
  std::unique_ptr<Energy> elastic;
  std::unique_ptr<Energy> muscle;     ///< may be null
  std::unique_ptr<Energy> joints;     ///< of bones; may be null
  std::vector<int> contact_vertices;  ///< those that can touch something
  VectorXd contact_area;              ///< of each contact vertex [m^2]
  double contact_stiffness = 0;       ///< one that suits the body [Pa/m]
  std::vector<std::string> notes;     ///< what was mended or is odd

  bool solid() const { return mesh.tets() > 0; }
  MatrixX3d x0;  ///< all vertices: of mesh or net, and then of bones
  /// The vertices that sets choose from: those of mesh or net; of bones where there is nothing else.
  const MatrixX3d& X() const { return solid() ? mesh.X : net.vertices() > 0 ? net.X : x0; }
};

/// Throws Error, naming the place in the scene, for a body that cannot be made.
Body make_body(const Scene& scene);

/// The body on another mesh, which may have been cut. Contact keeps the stiffness that suited the body as it was.
Body make_body(const Scene& scene, TetMesh mesh, const std::map<int, std::string>& region_names,
               double contact_stiffness);

}  // namespace brio
