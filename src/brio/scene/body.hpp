#pragma once
// A body of a scene: its mesh or net, made or read, repaired and put in place, with its masses and materials. Vertices
// have the body's own numbers here; Body::first says where they begin in the world.

#include "brio/energy/muscle_energy.hpp"
#include "brio/energy/solid_energy.hpp"
#include "brio/mesh/embedding.hpp"
#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"
#include "brio/scene/scene.hpp"
#include "brio/scene/vertex_sets.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brio {

/// The vertices of a body that can touch something.
struct ContactSurface {
  std::vector<int> vertices;
  VectorXd area;  ///< of each of them [m^2]
};

struct Body {
  std::string name;  ///< "" in a scene that has one body and no "bodies"
  TetMesh mesh;      ///< of a solid; without rows otherwise
  SpringNet net;     ///< of a spring net; without rows otherwise
  int bones = 0;     ///< rigid ones; their vertices come after those of all meshes and nets
  int first = 0;     ///< number of its first vertex in the world

  MatrixX3i triangles;                      ///< the surface of mesh or net, outward
  std::shared_ptr<const Skin> skin;         ///< carried by the mesh; may be null
  VertexSets sets;                          ///< of the scene
  VertexSets groups;                        ///< named in the mesh file
  std::map<int, std::string> region_names;  ///< in the mesh file
  VectorXd mass;                            ///< of each vertex [kg]
  std::vector<ElasticPart> elastic;         ///< of a solid
  std::vector<MusclePart> muscles;          ///< of a solid
  VectorXd spring_stiffness;                ///< of each spring of a net [N/m]
  ContactSurface contact;
  double contact_stiffness = 0;    ///< one that suits the body; 0 for bones alone [Pa/m]
  std::vector<std::string> notes;  ///< what was repaired or is odd

  int vertices() const { return static_cast<int>(X().rows()); }  ///< of mesh or net
  const MatrixX3d& X() const { return mesh.tets() > 0 ? mesh.X : net.X; }
  /// Tetrahedra, springs or bones: how many there are, and what they are called.
  int elements() const;
  const char* element_name() const;
  /// Deformation of each of its vertices at positions x of them, for pictures.
  VectorXd strain(const MatrixX3d& x) const;
  /// The rows of its own vertices in something that all vertices of the world have.
  MatrixX3d own(const MatrixX3d& all) const { return all.middleRows(first, vertices()); }
};

/// What `brio` calls a body in tables and files: its name, or "body" where it has none.
std::string shown_name(const Body& body);

/// The bodies of the scene, one after the other; instances share the making of their mesh. Throws Error, naming the
/// place in the scene, for a body that cannot be made.
std::vector<Body> make_bodies(const Scene& scene);

/// Gives every body its place among the vertices of the world.
void number_vertices(std::vector<Body>& bodies);

/// The body on another mesh, which may have been cut; its sets are left to the caller. Contact keeps the stiffness that
/// suited the body as it was.
Body remake_body(const BodySpec& spec, const Body& before, TetMesh mesh);

}  // namespace brio
