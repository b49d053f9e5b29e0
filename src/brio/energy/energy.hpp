#pragma once
// Interface of potential energies of the vertices: value, gradient and second derivatives, each added to storage that
// the caller provides.

#include "brio/core/projective_fit.hpp"
#include "brio/core/types.hpp"
#include "brio/energy/touch.hpp"
#include "brio/linalg/block_matrix.hpp"

#include <utility>
#include <vector>

namespace brio {

class CollisionSurface;  // collide/collision_surface.hpp

/// Which column of the energy report an energy belongs to.
enum class Ledger { elastic, gravity, contact };

/// Where the vertices' blocks lie: dof[vertex] is the vertex's block row, or -1 where the vertex does not move freely.
struct BlockLayout {
  std::vector<int> dof;
  const BlockPattern* pattern;
};

/// What is wanted; a null pointer means "not wanted". Everything is added to what is there.
struct EnergyWant {
  double* value = nullptr;         ///< [J]
  VectorXd* gradient = nullptr;    ///< 3 x vertices [N]
  BlockMatrix* hessian = nullptr;  ///< on the layout given to attach(); only where has_hessian() [N/m]
  Psd psd = Psd::none;
};

/// An energy with a constant stand-in for its second derivative ([QN] section 4.1); see Energy::projective().
class ProjectiveEnergy {
 public:
  virtual ~ProjectiveEnergy() = default;
  /// Adds it, one number per slot of the layout, the same for each coordinate.
  virtual void add_projective_weights(VectorXd& slot_values) const = 0;
  /// How it compares with the true second derivative, where it does so worst.
  virtual ProjectiveFit projective_fit() const { return {}; }
};

/// An energy of contact with an obstacle; see Energy::contact().
class ObstacleContact {
 public:
  virtual ~ObstacleContact() = default;
  virtual int places() const = 0;         ///< vertices that may touch it
  virtual double friction() const = 0;  ///< Coulomb's coefficient
  /// Adds the vertices that are in the obstacle at the beginning or at the end of a step from (t0, x0) to (t1, x1), or
  /// pass through it on the way. Places count from `first`.
  virtual void add_touches(double t0, const VectorXd& x0, double t1, const VectorXd& x1, int first,
                           std::vector<Touch>& touches) const = 0;
};

/// An energy of surfaces that touch each other; see Energy::surfaces(). Vertices of obstacles come after those of the
/// system, and follow from the time.
class SurfaceContact {
 public:
  virtual ~SurfaceContact() = default;
  virtual const CollisionSurface& surface() const = 0;
  /// Overwrites the last of the stacked positions of all vertices with those of the obstacles at time t [m].
  virtual void place_obstacles(double t, VectorXd& x) const = 0;
  /// What it takes to lead vertices from where they are in x0 at t0 to where they are in x1 at t1, with the forces of
  /// the beginning: at the end surfaces may have passed through each other [J].
  virtual double work(double t0, const VectorXd& x0, double t1, const VectorXd& x1) const = 0;
};

/// Its const functions may be called by several threads at a time.
class Energy {
 public:
  explicit Energy(Ledger ledger) : ledger_(ledger) {}
  virtual ~Energy() = default;

  Ledger ledger() const { return ledger_; }
  /// Adds what is wanted at time t [s] and positions x (3 x vertices) [m].
  virtual void evaluate(double t, const VectorXd& x, const EnergyWant& want) const = 0;
  /// Whether it has second derivatives by the vertices' positions. Without them it may not be asked for a hessian.
  virtual bool has_hessian() const { return true; }
  /// Pairs of different vertices whose second derivative is not zero.
  virtual void add_couplings(std::vector<std::pair<int, int>>& pairs) const = 0;
  /// Finds the places of the second derivatives; called once per topology, before a hessian is asked for.
  virtual void attach(const BlockLayout& layout) = 0;
  /// Whether the value at fixed positions changes with time.
  virtual bool time_dependent() const = 0;
  /// Whether the forces act between vertices, without any net force or torque on a connected piece of the body.
  virtual bool internal() const = 0;
  /// Vertices that are tied to a place in space, so that the piece they belong to is not free.
  virtual void add_held(std::vector<int>& vertices) const = 0;

  // What only some energies have: themselves, seen as what has it, or null.
  /// Weight and contact have none: a factor of the stand-in must outlast every touch.
  virtual const ProjectiveEnergy* projective() const { return nullptr; }
  virtual const ObstacleContact* contact() const { return nullptr; }
  virtual const SurfaceContact* surfaces() const { return nullptr; }

 private:
  Ledger ledger_;
};

}  // namespace brio
