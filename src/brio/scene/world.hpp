#pragma once
// The bodies of a scene side by side: one list of vertices with positions and masses, one skeleton, one surface, and
// sets of vertices that go by the names of their bodies. Meshes and nets come first, body by body, then all bones.

#include "brio/scene/bones.hpp"

namespace brio {

struct World {
  MatrixX3d x0;                     ///< rest positions of all vertices [m]
  VectorXd mass;                    ///< [kg]
  MatrixX3i triangles;              ///< the surfaces of all bodies, outward
  std::vector<int> body_of_vertex;  ///< number of the body
  std::optional<SkeletonBody> skeleton;
  std::vector<ContactSurface> contact;    ///< of each body, its bones included; numbers among all vertices
  std::vector<double> contact_stiffness;  ///< one that suits each body [Pa/m]

  std::vector<VertexSet> vertices_of;  ///< each body, its bones' included, ascending

  int vertices() const { return static_cast<int>(x0.rows()); }
};

World make_world(const Scene& scene, const std::vector<Body>& bodies);

/// Every set that the sections of the scene can name; see Simulation::sets.
VertexSets world_sets(const Scene& scene, const std::vector<Body>& bodies, const World& world);

}  // namespace brio
