#include "brio/mesh/stuffing/stuffing.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/stuffing/stuffing_angles.hpp"
#include "brio/mesh/stuffing/stuffing_cut.hpp"
#include "brio/mesh/stuffing/stuffing_missing.hpp"
#include "brio/mesh/stuffing/stuffing_soundness.hpp"
#include "brio/mesh/stuffing/stuffing_thickness.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace brio {
namespace {

/// How the number of vertices grows with finer cells: those inside with the volume, those on the surface with its area.
class VertexCountModel {
 public:
  void add(double size, int vertices) {
    older_ = newer_;
    newer_ = {1 / size, static_cast<double>(vertices)};
  }

  /// The size for which so many vertices are expected.
  double size_for(double vertices) const {
    const auto [y, n] = newer_;
    double volume = n / (y * y * y), area = 0;
    if (older_.vertices > 0 && older_.fineness != y) {
      const double m = older_.vertices / (older_.fineness * older_.fineness), per_area = n / (y * y);
      volume = (per_area - m) / (y - older_.fineness);
      area = per_area - volume * y;
      if (!(volume > 0 && area > 0)) volume = n / (y * y * y), area = 0;
    }
    double low = 0, high = 1;
    const auto expected = [&](double fineness) { return fineness * fineness * (area + volume * fineness); };
    while (expected(high) < vertices) high *= 2;
    for (int i = 0; i < 100; ++i) (expected(0.5 * (low + high)) < vertices ? low : high) = 0.5 * (low + high);
    return 1 / high;
  }

 private:
  struct Trial {
    double fineness = 0, vertices = 0;  ///< [1/m], [1]
  };
  Trial older_, newer_;
};

constexpr int kFirstTrial = 2000, kGrowth = 8;  // vertices; cheap trials before dear ones
constexpr double kCloseEnough = 0.02;

/// The lattice whose mesh comes nearest to that many vertices.
std::unique_ptr<const CutLattice> find_lattice(const SignedDistance& body, int vertices, bool graded,
                                               const StuffingProgress& progress) {
  double want = std::min(vertices, kFirstTrial);
  double size = std::cbrt(2 * std::max(body.bounds().volume(), 1e-300) / want);  // a cube has two points
  std::unique_ptr<const CutLattice> best;
  double least_error = INFINITY;
  double too_small = 0, too_large = INFINITY;  // sizes known to give too many vertices, or too few
  int empty = 0;
  VertexCountModel model;
  for (int trial = 0; trial < 20 && least_error > kCloseEnough; ++trial) {
    auto lattice = std::make_unique<const CutLattice>(body, size, graded);
    const int count = lattice->vertices();
    if (progress) progress(fmt::format("size {:.4g} m gives {} vertices", size, count));
    const double error = std::fabs(count - vertices) / vertices;
    if (count > 0 && error < least_error) least_error = error, best = std::move(lattice);
    if (count > vertices) too_small = std::max(too_small, size);
    if (count < vertices) too_large = std::min(too_large, size);
    if (count < 10) {
      if (++empty > 8) break;
      size *= 0.6;
      continue;
    }
    model.add(size, count);
    want = std::min<double>(vertices, double{kGrowth} * std::max(count, kFirstTrial / kGrowth));
    size = model.size_for(want);
    // Counts go up in steps; where the model lands on a size that is known to be wrong, the middle is tried.
    if (too_small > 0 && std::isfinite(too_large) && !(size > too_small && size < too_large)) {
      size = 0.5 * (too_small + too_large);
    }
  }
  if (!best) throw Error("the shape is empty, or too thin to find a point inside");
  return best;
}

constexpr double kLeastAngle = 10.5, kMostAngle = 163.8;  // degrees; what the uniform lattice keeps
constexpr double kTetsPerVertex = 5;                      // at least, in a large mesh
constexpr double kMostMissing = 0.1;                      // of the volume; more than rounding of edges takes
constexpr int kManyParts = 3;
constexpr int kMostTried = 200000;  // vertices
constexpr double kMostGrowth = 4;  // vertices of cells that follow, where a size was asked for, by those of the uniform
constexpr double kRounding = 0.25;  // halvings: cells may be that much larger than demanded
constexpr int kMostHalvings = 4, kInteriorDoublings = 3, kMostRounds = 4;

StuffedMesh stuff_uniform(const CutLattice& lattice) {
  StuffedMesh stuffed = lattice.mesh();
  stuffed.smallest = stuffed.size;
  settle(stuffed, lattice.on_surface());
  return stuffed;
}

/// A box of the body in which cells may not be larger than `size` [m].
struct Demand {
  Box box;
  double size;
};

Box box_around(const Vec3& x, double reach) { return {x.array() - reach, x.array() + reach}; }

/// Cells of at most `size` at the surface, smaller where demanded.
SizedCells demanded_cells(const SignedDistance& body, double size, bool graded, const std::vector<Demand>& demands) {
  double least = size;
  for (const Demand& demand : demands) least = std::min(least, demand.size);
  const int finest = std::clamp(static_cast<int>(std::ceil(std::log2(size / least) - kRounding)), 0, kMostHalvings);
  SizedCells cells(body, size, finest, graded ? kInteriorDoublings : 0);
  for (const Demand& demand : demands)
    if (demand.size < size) cells.refine(demand.box, demand.size);
  cells.balance();
  return cells;
}

/// What thin limbs demand: so many cells through those that are thicker than `thinnest`.
std::vector<Demand> thickness_demands(const std::vector<ThicknessSample>& samples, double spacing, double cells_through,
                                      double thinnest) {
  std::vector<Demand> demands;
  for (const ThicknessSample& sample : samples) {
    if (!std::isfinite(sample.thickness) || sample.thickness < thinnest) continue;
    Box box = box_around(sample.place, 0.75 * spacing);
    box.extend(sample.place + sample.thickness * sample.inward);
    demands.push_back({box, sample.thickness / cells_through});
  }
  return demands;
}

/// Fills cells that follow the demands. Where angles cannot be improved enough, or parts still come off, smaller cells
/// are demanded there, a few times.
StuffedMesh follow(const SignedDistance& body, double size, bool graded, int most_vertices,
                   std::vector<Demand>& demands, const ShapeReference& reference) {
  StuffedMesh best;
  for (int round = 0; round < kMostRounds; ++round) {
    const SizedCells cells = demanded_cells(body, size, graded, demands);
    CutCells cut = cut_cells(body, cells);
    if (cut.mesh.vertices() > most_vertices) break;
    const std::vector<int> bad = improve_angles(body, cut, kLeastAngle, kMostAngle);
    const size_t before = demands.size();
    for (int t : bad) {
      Box box;
      double least = INFINITY;
      for (int c = 0; c < 4; ++c) {
        const Vec3 x = cut.mesh.X.row(cut.mesh.T(t, c));
        box.extend(x);
        least = std::min(least, cells.size_at(x));
      }
      demands.push_back({Box(box.min().array() - 2 * least, box.max().array() + 2 * least), least});
    }
    StuffedMesh stuffed;
    stuffed.mesh = std::move(cut.mesh);
    stuffed.size = size;
    stuffed.smallest = cells.smallest();
    if (bad.empty()) {
      settle(stuffed, cut.on_surface);
      const bool good = reference.agrees(stuffed);
      if (best.mesh.tets() == 0 || good) best = stuffed;
      if (good) break;
      for (const Vec3& fault : stuffed.faults) {
        const double local = cells.size_at(fault);
        demands.push_back({box_around(fault, 1.5 * local), 0.5 * local});
      }
    }
    if (demands.size() == before) break;
  }
  return best;
}

/// About how many vertices cells have, without cutting them: two for one inside, some more for one that is cut.
double estimate_vertices(const SignedDistance& body, const SizedCells& cells) {
  const std::vector<SizedCells::Cube> all = cells.cells();
  std::vector<double> sum((all.size() + 1023) / 1024, 0);
  parallel_for(static_cast<int>(all.size()), 1024, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const int level = cells.level(all[c]);
      const double edge = std::ldexp(cells.smallest(), level);
      const double value = body.value(cells.place(LatticePoint((2 * all[c]).array() + (1 << level))));
      sum[begin / 1024] += value < -0.6 * edge ? 2 : value < 0.6 * edge ? 2.6 : 0;
    }
  });
  return std::accumulate(sum.begin(), sum.end(), 0.0);
}

/// The smallest size whose cells, with these demands, have at most that many vertices; 0 if even the largest ones have
/// more. Counts do not fall evenly, since cells are halved: all sizes in small steps are looked at.
double following_size(const SignedDistance& body, double uniform, double largest, int vertices, bool graded,
                      const std::vector<Demand>& demands, const StuffingProgress& progress) {
  constexpr double kStep = 1.15;
  std::vector<std::pair<double, double>> trials;  // size, vertices before correction
  for (double size = 0.95 * uniform; size < 1.01 * largest; size *= kStep)
    trials.emplace_back(size, estimate_vertices(body, demanded_cells(body, size, graded, demands)));
  // The estimates are too large by a factor that a cut tells. Those nearest to the target are cut, and the largest
  // mesh that fits is taken.
  constexpr double kFar = 1.5;  // times the vertices; where the two nearest have more, no other will fit
  double correction = 0.7, best = 0;
  int most = 0, far = 0;
  for (int cut = 0; cut < 5 && far < 2 && !trials.empty() && most < 0.93 * vertices; ++cut) {
    const auto off = [&](const auto& trial) {
      return std::fabs(std::log(correction * trial.second / (0.98 * vertices)));
    };
    const auto next =
        std::min_element(trials.begin(), trials.end(), [&](const auto& a, const auto& b) { return off(a) < off(b); });
    const auto [size, estimate] = *next;
    const int count = cut_cells(body, demanded_cells(body, size, graded, demands)).mesh.vertices();
    if (progress) progress(fmt::format("cells of at most {:.4g} m give {} vertices", size, count));
    correction = count / estimate;
    if (count <= 1.04 * vertices && count > most) best = size, most = count;
    if (count > kFar * vertices) ++far;
    trials.erase(next);
  }
  return best;
}

/// Cells that follow the thickness of the body, two through a limb if the vertices allow it, or fewer, or smaller ones
/// only where a uniform lattice failed.
StuffedMesh stuff_following(const SignedDistance& body, const StuffingTarget& target, const StuffedMesh& uniform,
                            const ShapeReference& reference, const StuffingProgress& progress) {
  if (progress) progress("the shape comes apart in a uniform lattice: looking how thick it is");
  const double spacing = 0.5 * uniform.size;
  const std::vector<ThicknessSample> samples = sample_thickness(body, spacing, 8 * uniform.size);
  struct Attempt {
    double cells_through;      ///< a limb; 0: smaller cells only where parts came off
    double thinnest, largest;  ///< limb that counts, and cell at the surface, in sizes of the uniform lattice
  };
  StuffedMesh best;
  Attempt before{};
  size_t demanded_before = 0;
  for (const Attempt& attempt : {Attempt{2, 0, 2}, {2, 0.25, 2}, {1.5, 0.25, 2}, {0, 0, 2}, {0, 0, 4}}) {
    std::vector<Demand> demands;
    if (attempt.cells_through > 0)
      demands = thickness_demands(samples, spacing, attempt.cells_through, attempt.thinnest * uniform.size);
    // Where no limb is so thin that the second attempt would let it go, it is the first.
    const bool is_repeated = attempt.cells_through == before.cells_through && attempt.largest == before.largest &&
                             demands.size() == demanded_before;
    before = attempt;
    demanded_before = demands.size();
    if (is_repeated) continue;
    for (const Vec3& fault : uniform.faults) demands.push_back({box_around(fault, uniform.size), 0.6 * uniform.size});
    // Smaller cells that were demanded on the way may take more vertices than there are: once more with larger ones.
    for (int trial = 0; trial < 3; ++trial) {
      double size = target.size;
      double most = kMostGrowth * uniform.mesh.vertices();
      if (target.vertices > 0) {
        size = following_size(body, uniform.size, attempt.largest * uniform.size, target.vertices, target.graded,
                              demands, progress);
        most = 1.5 * target.vertices;
      }
      if (size == 0) break;
      StuffedMesh stuffed = follow(body, size, target.graded, static_cast<int>(most), demands, reference);
      const bool fits = target.vertices == 0 || stuffed.mesh.vertices() <= 1.08 * target.vertices;
      const bool good = stuffed.mesh.tets() > 0 && reference.agrees(stuffed);
      if (stuffed.mesh.tets() > 0 && fits && (best.mesh.tets() == 0 || good)) best = std::move(stuffed);
      if (fits || !good) break;
    }
    if (best.mesh.tets() > 0 && reference.agrees(best)) break;
  }
  best.shape = reference.facts;
  if (reference.agrees(best)) best.shape.genus = best.genus;
  if (best.mesh.tets() > 0) {
    best.notes.push_back(
        fmt::format("cells follow the thickness of the shape: {:.4g} to {:.4g} m", best.smallest, best.size));
  }
  return best;
}

/// Notes what the mesh has nothing of.
void note_missing_parts(const SignedDistance& body, StuffedMesh& stuffed) {
  const std::vector<Vec3> missing = missing_parts(body, stuffed.mesh.X, stuffed.size);
  if (missing.empty()) return;
  if (stuffed.lost_places == 0) stuffed.first_lost = missing.front();
  stuffed.lost_places += static_cast<int>(missing.size());
}

/// How many vertices a uniform lattice needs to agree with the shape; 0 if none is found among finer ones.
int enough_vertices(const SignedDistance& body, bool graded, double size, const ShapeReference& reference) {
  for (int trial = 0; trial < 14; ++trial) {
    size *= 0.86;
    const StuffedMesh finer = stuff_uniform(CutLattice(body, size, graded));
    if (finer.mesh.vertices() > kMostTried) break;
    if (reference.agrees(finer)) return finer.mesh.vertices();
  }
  return 0;
}

StuffedMesh stuff_once(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress) {
  if ((target.size > 0) == (target.vertices > 0)) throw Error("give either the size of a cell or a number of vertices");
  require_count("mesher", kTetsPerVertex * target.vertices, "ask for fewer vertices");
  std::unique_ptr<const CutLattice> lattice = target.size > 0
                                                  ? std::make_unique<const CutLattice>(body, target.size, target.graded)
                                                  : find_lattice(body, target.vertices, target.graded, progress);
  if (progress) progress(fmt::format("filling {} vertices", lattice->vertices()));
  StuffedMesh uniform = stuff_uniform(*lattice);
  lattice.reset();
  note_missing_parts(body, uniform);
  const ShapeReference reference = reference_for(body, target, uniform);
  uniform.shape = reference.facts;
  const bool agrees = reference.agrees(uniform);
  if (agrees) uniform.shape.genus = uniform.genus;
  const double missing = 1 - volume_of(uniform.mesh) / uniform.shape.volume;
  if (agrees && uniform.lost_places == 0 && missing < kMostMissing) return uniform;
  // Where things are wrong all over, the shape is finer than the lattice altogether, and not in some limbs.
  const bool all_over =
      static_cast<int>(uniform.faults.size()) > 100 + uniform.mesh.vertices() / 100 || uniform.shape.parts > kManyParts;

  StuffedMesh following;
  if (!all_over) following = stuff_following(body, target, uniform, reference, progress);
  if (following.mesh.tets() > 0) note_missing_parts(body, following);
  if (following.mesh.tets() > 0 && following.is_sound()) return following;
  // What is left: the better of the two, with parts that came off.
  const bool is_better = following.mesh.tets() > 0 && following.components < uniform.components;
  StuffedMesh& left = is_better ? following : uniform;
  drop_parts(left, target.keep == Keep::largest ? 1 : left.shape.parts, target.keep != Keep::largest);
  if (left.components <= left.shape.parts || target.keep != Keep::sound) return left;
  const int enough = enough_vertices(body, target.graded, uniform.size, reference);
  throw Error(
      "{}: {} of the {} parts that it falls into hang together by no face, one near {}; {}\"keep\": \"largest\" or "
      "\"all\" takes what is left",
      target.vertices > 0 ? fmt::format("{} vertices are too few for the shape", target.vertices)
                          : fmt::format("size = {:.4g} m is too large for the shape", target.size),
      left.components - left.shape.parts, left.components, place_text(left.faults.back()),
      enough > 0 ? fmt::format("about {} vertices would do; ", enough) : "");
}

}  // namespace

/// Gaps that are as small as the cells close or open by chance. Where it is known how many handles there should be, a
/// few lattices with some vertices less are tried.
StuffedMesh stuff(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress) {
  StuffedMesh first = stuff_once(body, target, progress);
  StuffingTarget fewer = target;
  for (int trial = 0; trial < 3; ++trial) {
    if (!target.genus || target.vertices == 0 || first.genus == target.genus || target.keep != Keep::sound) break;
    fewer.vertices = static_cast<int>(0.97 * fewer.vertices);
    StuffedMesh other = stuff_once(body, fewer, progress);
    if (other.is_sound()) first = std::move(other);
  }
  if (volume_of(first.mesh) < (1 - kVolumeTolerance) * first.shape.volume) first.losses = find_losses(body, first.mesh);
  return first;
}

}  // namespace brio
