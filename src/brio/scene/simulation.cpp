#include "brio/scene/simulation.hpp"

#include "brio/energy/solid_energy.hpp"
#include "brio/mesh/quadratic.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

namespace brio {

Simulation::Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

int Simulation::elements() const {
  return std::accumulate(bodies.begin(), bodies.end(), 0, [](int sum, const Body& b) { return sum + b.elements(); });
}

const char* Simulation::element_name() const {
  const char* first = bodies.front().element_name();
  for (const Body& body : bodies)
    if (body.element_name() != std::string_view(first)) return "elements";
  return first;
}

VectorXd Simulation::strain(const MatrixX3d& x) const {
  VectorXd strain = VectorXd::Zero(x.rows());
  for (const Body& body : bodies) strain.segment(body.first, body.vertices()) = body.strain(body.own(x));
  return strain;
}

std::optional<BodyStress> Simulation::stress(const MatrixX3d& x, StressDetail detail) const {
  Index cells = 0;
  for (const Body& body : bodies) cells += body.mesh.tets() * (body.mesh.order() == 2 ? 8 : 1);
  if (cells == 0) return {};
  const bool elements = detail == StressDetail::all;
  const auto room = stress_room.take();
  if (bodies.size() == 1 && bodies[0].mesh.order() == 1 && bodies[0].vertices() == x.rows())
    return measure_stress(bodies[0].mesh, bodies[0].elastic, x, detail, *room);
  BodyStress all{StressValues(elements ? cells : 0), StressValues(x.rows())};
  const auto copy = [](const StressValues& from, Index row, Index to, Index count, StressValues& values) {
    values.cauchy.middleRows(to, count).rowwise() = from.cauchy.row(row);
    values.von_mises.segment(to, count).setConstant(from.von_mises[row]);
    values.stretches.middleRows(to, count).rowwise() = from.stretches.row(row);
  };
  Index cell = 0;
  for (const Body& body : bodies) {
    if (body.mesh.tets() == 0) continue;
    const BodyStress own = measure_stress(body.mesh, body.elastic, body.own(x), detail, *room);
    const Index each = body.mesh.order() == 2 ? 8 : 1;
    for (Index e = 0; elements && e < body.mesh.tets(); ++e, cell += each) copy(own.element, e, cell, each, all.element);
    all.vertex.cauchy.middleRows(body.first, body.vertices()) = own.vertex.cauchy;
    all.vertex.von_mises.segment(body.first, body.vertices()) = own.vertex.von_mises;
    all.vertex.stretches.middleRows(body.first, body.vertices()) = own.vertex.stretches;
  }
  return all;
}

std::optional<Determinants> Simulation::determinants(const MatrixX3d& x) const {
  if (elastic.empty()) return {};
  const VectorXd stacked = x.reshaped<Eigen::RowMajor>();
  Determinants all;
  for (const SolidEnergy* energy : elastic) all += energy->determinants(stacked);
  return all;
}

TetMesh Simulation::tetrahedra() const {
  std::vector<TetMesh> meshes;
  Index tets = 0, vertices = 0;
  for (const Body& body : bodies) {
    meshes.push_back(split_tets(body.mesh));
    tets += meshes.back().tets();
    vertices += body.vertices();
  }
  TetMesh all;
  all.X.resize(vertices, 3);
  all.T.resize(tets, 4);
  all.region.resize(tets);
  all.fiber = MatrixX3d::Zero(tets, 3);
  Index row = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    const TetMesh& mesh = meshes[b];
    all.X.middleRows(body.first, body.vertices()) = body.X();
    const Index n = mesh.tets();
    if (n == 0) continue;
    all.T.middleRows(row, n) = mesh.T.array() + body.first;
    all.region.segment(row, n) = mesh.region;
    if (mesh.fiber.rows() == n) all.fiber.middleRows(row, n) = mesh.fiber;
    row += n;
  }
  return all;
}

}  // namespace brio
