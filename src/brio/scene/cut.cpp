#include "brio/scene/cut.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/scene/restore_momentum.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

using Sets = std::map<std::string, std::vector<int>>;

Sets carried_sets(const std::vector<VertexOrigin>& origin, int old_vertices, const Sets& old) {
  Sets sets;
  for (const auto& [name, members] : old) {
    std::vector<char> inside(old_vertices, 0);
    for (int v : members) inside[v] = 1;
    for (size_t v = 0; v < origin.size(); ++v)
      if (inside[origin[v].a] && inside[origin[v].b]) sets[name].push_back(static_cast<int>(v));
  }
  return sets;
}

/// Directions of the body before on that after: each piece of it has its share of every one as a direction of its own.
Remembered carried_on(const NodalSystem& before, const std::vector<VertexOrigin>& origin, const Simulation& after,
                      const Remembered& directions) {
  const Components pieces = connected_components(after.tetrahedra());
  std::vector<double> values;
  for (int column = 0; column < directions.columns; ++column) {
    const Index first = column * before.dofs();
    MatrixX3d field = MatrixX3d::Zero(before.vertices(), 3);
    for (Index i = 0; i < before.dofs(); ++i)
      field(before.vertex_of(static_cast<int>(i / 3)), i % 3) = directions.values[first + i];
    field = carried(origin, field);
    for (int piece = -1; piece < pieces.count; ++piece) {  // -1: what is no tetrahedra
      MatrixX3d share = field;
      for (Index v = 0; v < share.rows(); ++v)
        if (pieces.of_vertex[v] != piece) share.row(v).setZero();
      const VectorXd free = after.system->free_part(share);
      if (!free.isZero(0)) values.insert(values.end(), free.begin(), free.end());
    }
  }
  Remembered carried = directions;
  carried.values = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  carried.columns = static_cast<int>(carried.values.size() / after.system->dofs());
  return carried;
}

/// What follows the cut, by its own description.
std::vector<Remembered> memory_after(const Simulation& before, const std::vector<VertexOrigin>& origin,
                                     const Simulation& after) {
  std::vector<Remembered> memory;
  for (const Remembered& remembered : before.state.memory)
    if (remembered.follows_cut && remembered.kind == Remembered::Kind::directions)
      memory.push_back(carried_on(*before.system, origin, after, remembered));
  return memory;
}

}  // namespace

std::string CutReport::text() const {
  const std::string when = fmt::format("{} at {:.6g} s", path, time);
  if (!changed) return when + ": changed nothing; it misses the body or reaches into it by less than an element";
  return fmt::format(
      "{}: {} piece{} from {}, {} tetrahedra subdivided, {} vertices and {} tetrahedra more, energy {:+.3g} J, in "
      "{:.3g} ms",
      when, pieces, pieces == 1 ? "" : "s", pieces_before, subdivided, new_vertices, new_tets, energy_change, ms);
}

namespace {

/// The bodies after a cut, and where each vertex of the world comes from.
struct CutBodies {
  std::vector<Body> bodies;
  std::vector<VertexOrigin> origin;
};

/// Vertices of a body keep their numbers in it, but another body may have grown before it.
int new_number(const std::vector<VertexOrigin>& origin, int old) {
  const auto kept = [&](const VertexOrigin& from) { return from.a == old && from.b == old; };
  return static_cast<int>(std::find_if(origin.begin(), origin.end(), kept) - origin.begin());
}

CutBodies cut_bodies(const Simulation& simulation, const SceneCut& cut, const MatrixX3d& x, CutReport& report) {
  CutBodies result;
  const auto is_cut = [&](size_t b) {
    return std::count(cut.bodies.begin(), cut.bodies.end(), static_cast<int>(b)) > 0;
  };
  for (size_t b = 0; b < simulation.bodies.size(); ++b) {
    const Body& body = simulation.bodies[b];
    std::vector<VertexOrigin> origin;
    result.bodies.push_back(body);
    if (is_cut(b)) {
      CutMesh made = cut_mesh(body.mesh, cut.current ? MatrixX3d(body.own(x)) : body.mesh.X, *cut.surface, cut.options);
      report.pieces_before += made.pieces_before;
      report.pieces += made.pieces;
      if (made.changed()) {
        report.changed = true;
        report.subdivided += made.subdivided;
        report.new_vertices += made.mesh.vertices() - body.mesh.vertices();
        report.new_tets += made.mesh.tets() - body.mesh.tets();
        origin = std::move(made.origin);
        result.bodies.back() = remake_body(simulation.scene->bodies[b], body, std::move(made.mesh));
      }
    }
    if (origin.empty())
      for (int v = 0; v < body.vertices(); ++v) origin.push_back({v, v, 0});
    for (const VertexOrigin& from : origin)
      result.origin.push_back({body.first + from.a, body.first + from.b, from.weight});
  }
  if (simulation.bones)
    for (int v = simulation.bones->first(); v < simulation.vertices(); ++v) result.origin.push_back({v, v, 0});
  return result;
}

}  // namespace

CutReport perform_cut(Simulation& simulation, size_t number) {
  Stopwatch watch;
  const SceneCut& cut = simulation.cuts[number];
  const State& state = simulation.state;
  MatrixX3d x, u;
  simulation.system->positions(state.t, state.q, x);
  simulation.system->velocities(state.t, state.v, u);
  CutReport report;
  report.path = cut.path;
  report.time = state.t;

  CutBodies made = cut_bodies(simulation, cut, x, report);
  if (report.changed) {
    const VectorXi old_piece = connected_components(simulation.tetrahedra()).of_vertex;
    const PieceMomenta before = piece_momenta(old_piece, simulation.system->vertex_mass(), x, u);

    Simulation after = rebuild_simulation(simulation, std::move(made.bodies),
                                          carried_sets(made.origin, simulation.vertices(), simulation.sets));
    const NodalSystem& system = *after.system;
    after.state = {state.t, system.free_part(carried(made.origin, x)), system.free_part(carried(made.origin, u)), {}};
    system.positions(after.state.t, after.state.q, x);
    system.velocities(after.state.t, after.state.v, u);
    VectorXi piece(system.vertices());
    std::vector<char> free(system.vertices());
    for (int v = 0; v < system.vertices(); ++v) {
      piece[v] = old_piece[made.origin[v].a];
      free[v] = !system.supported(v);
    }
    restore_momenta(before, piece, system.vertex_mass(), free, x, u);
    after.state.v = system.free_part(u);
    for (int& vertex : after.probe) vertex = new_number(made.origin, vertex);
    make_integrator(after);
    after.state.memory = memory_after(simulation, made.origin, after);
    simulation = std::move(after);
  }
  report.ms = 1e3 * watch.lap();
  return report;
}

}  // namespace brio
