#pragma once
// The full system: every vertex that is not supported moves freely. Supported vertices follow their prescribed motion,
// so that the potential energy becomes a function of the free positions and of time.

#include "brio/core/scratch_pool.hpp"
#include "brio/energy/energy.hpp"
#include "brio/energy/motion.hpp"
#include "brio/system/contact_system.hpp"
#include "brio/system/engine.hpp"
#include "brio/system/load.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace brio {

/// Vertices that follow a rigid motion exactly.
struct Support {
  std::vector<int> vertices;
  std::shared_ptr<const Motion> motion;
};

/// Rayleigh damping D = alpha M + beta K.
struct RayleighDamping {
  double alpha = 0;            ///< [1/s]
  double beta = 0;             ///< [s]
  bool rest_stiffness = true;  ///< K at rest, constant; otherwise K of the current step
};

/// What a rank has of an energy. Together its own part and its border make the forces at the rank's own vertices whole.
enum class Share {
  whole,  ///< all of it, as every rank has
  own,    ///< elements whose energy this rank counts
  border  ///< elements at its vertices whose energy another rank counts
};

/// An energy and the body whose budget it belongs to.
struct OwnedEnergy {
  static constexpr int kBetweenBodies = -1;  ///< the owner of an energy that belongs to no body alone

  template <class E>
  OwnedEnergy(std::unique_ptr<E> e, int owner = 0, Share part = Share::whole)
      : energy(std::move(e)), body(owner), share(part) {}

  std::unique_ptr<Energy> energy;
  int body = 0;  ///< its number, or kBetweenBodies
  Share share = Share::whole;
};

/// Which vertices each rank computes forces and rows of matrices for, where several compute together.
struct Division {
  std::vector<int> owner;  ///< rank of each vertex; empty where there is one rank
  /// Vertices that hang together by elements of other ranks: enough pairs to know the pieces.
  std::vector<std::pair<int, int>> links;
};

/// What the bodies are made of; the energies must fit the vertices of x0.
struct NodalParts {
  MatrixX3d x0;          ///< rest positions of all vertices [m]
  VectorXd vertex_mass;  ///< [kg]
  std::vector<OwnedEnergy> energies;
  std::vector<std::unique_ptr<Load>> loads;
  std::vector<Support> supports;  ///< a vertex may be in one only
  RayleighDamping damping;
  std::shared_ptr<Engine> engine = {};  ///< how matrices are solved with; null: factored
  Division division = {};
};

/// Whether the energies of obstacles, and of bodies that touch, are among those that are evaluated.
enum class Obstacles { felt, left_out };

class NodalSystem : public System, public ProjectiveSystem, public IterativeSystem, public ContactSystem {
 public:
  explicit NodalSystem(NodalParts parts);
  ~NodalSystem() override;

  Index dofs() const override { return mass_.size(); }
  const VectorXd& mass() const override { return mass_; }
  bool has_damping() const override { return parts_.damping.alpha != 0 || parts_.damping.beta != 0; }
  /// Energies are asked: a hand is one that changes with time while it holds something.
  bool time_dependent() const override;
  const std::vector<std::vector<int>>& free_pieces() const override { return free_pieces_; }
  const std::vector<std::vector<int>>& held_pieces() const override { return held_pieces_; }
  const System& without_obstacles() const override { return *without_obstacles_; }
  int places() const override { return places_; }
  int obstacle_of(int place) const override;
  bool has_friction() const override { return has_friction_; }
  void find_touches(double t0, const VectorXd& q0, double t1, const VectorXd& q1,
                    std::vector<Touch>& touches) const override;
  const CollisionSurface* surfaces() const override { return surfaces_ ? &surfaces_->surface() : nullptr; }
  void stack_positions(double t, const VectorXd& q, VectorXd& x) const override;
  Potentials potentials(double t, const VectorXd& q) const override { return potentials(t, q, Obstacles::felt); }
  Potentials potentials(double t, const VectorXd& q, Obstacles obstacles) const;
  /// The same for each body; energies between bodies are in none of them.
  void potentials_by_body(double t, const VectorXd& q, std::vector<Potentials>& per_body) const;
  /// As many as the energies have owners; at least one.
  int bodies() const { return bodies_; }
  /// Looks only at what moves, unless that is a support: then elements are strained. Of surfaces that touch it gives
  /// the work of their forces at `from`: at the positions of `to` they may have passed through each other.
  double potential_change(double from, double known, double to, const VectorXd& q) const override;
  void gradient(double t, const VectorXd& q, VectorXd& g) const override { gradient(t, q, g, Obstacles::felt); }
  void gradient(double t, const VectorXd& q, VectorXd& g, Obstacles obstacles) const;
  void load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  bool loaded() const override { return !parts_.loads.empty(); }
  Potentials potentials_and_gradient(double t, const VectorXd& q, VectorXd& g) const override {
    return potentials_and_gradient(t, q, g, Obstacles::felt);
  }
  Potentials potentials_and_gradient(double t, const VectorXd& q, VectorXd& g, Obstacles obstacles) const;
  std::unique_ptr<Linearization> linearization() const override;
  std::unique_ptr<Linearization> iterative_linearization(double tolerance, int iterations) const override;
  std::unique_ptr<ProjectiveMatrix> projective_matrix() const override;
  ProjectiveFit projective_fit() const override;
  /// Both need the whole matrix in one place.
  const ProjectiveSystem* projective() const override { return shared() ? nullptr : this; }
  const IterativeSystem* iterative() const override { return shared() ? nullptr : this; }
  const ContactSystem* contacts() const override { return without_obstacles_ ? this : nullptr; }
  VectorXd rest() const override { return free_part(parts_.x0); }
  double free_fall() const override { return free_fall_; }
  double energy_round_off() const override { return energy_round_off_; }
  void positions(double t, const VectorXd& q, MatrixX3d& x) const override;
  void velocities(double t, const VectorXd& v, MatrixX3d& u) const override;

  /// The free part of a field over all vertices (positions, velocities).
  VectorXd free_part(const MatrixX3d& field) const;
  int vertices() const { return static_cast<int>(parts_.x0.rows()); }
  const MatrixX3d& rest_positions() const { return parts_.x0; }
  const VectorXd& vertex_mass() const { return parts_.vertex_mass; }
  const RayleighDamping& damping() const { return parts_.damping; }
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  /// Solves with matrices on the system's pattern, in the way of its engine.
  std::unique_ptr<BlockSolver> make_solver() const;
  const std::shared_ptr<Engine>& engine() const { return parts_.engine; }
  /// Whether several ranks compute it together. Each then has the rows of matrices that belong to its own points (and
  /// parts of others), and all call the same functions in the same order.
  bool shared() const;
  const SharedRows& shared_points() const { return *shared_points_; }
  std::vector<int> vertex_owner() const;  ///< rank of each; empty for one rank
  /// Makes rows of all vertices, of which each rank has computed those of its own, whole.
  void exchange_vertices(VectorXd& stacked) const;
  bool supported(int vertex) const { return dof_[vertex] < 0; }
  /// The point (block row) of a vertex, -1 where it is supported or an obstacle's; and back.
  int point_of(int vertex) const override { return vertex < vertices() ? dof_[vertex] : -1; }
  int vertex_of(int point) const override { return free_vertex_[point]; }
  int points() const override { return static_cast<int>(free_vertex_.size()); }

  /// The constant stand-in L for K, one number per slot of the pattern [N/m].
  VectorXd projective_weights() const;
  /// Gradient of the potential energy (overwritten) and K (overwritten), in one pass over the elements; the part that
  /// comes from outside once more, where it is wanted.
  void derivatives(double t, const VectorXd& q, Psd psd, VectorXd& gradient, BlockMatrix& K,
                   OutsideForces* outside = nullptr, Obstacles obstacles = Obstacles::felt) const;
  /// Whether E at fixed q changes with time when obstacles are left out.
  bool time_dependent_without_obstacles() const;

 private:
  /// Room for one evaluation, stacked over all vertices.
  struct Scratch {
    VectorXd x, u, full;
  };
  ScratchPool<Scratch>::Lease borrow_room() const;

  void number_free_vertices();
  void find_pieces(const std::vector<std::pair<int, int>>& couplings);
  void divide();
  /// Adds up what the ranks have found, and that to what all have.
  void add_parts(Potentials parts, Potentials& sum) const;
  double add_parts(double parts, double sum) const;
  void scatter(const VectorXd& free, VectorXd& full) const;
  void scatter_positions(double t, const VectorXd& q, VectorXd& x) const;
  void scatter_velocities(double t, const VectorXd& v, VectorXd& u) const;
  void gather(const VectorXd& full, VectorXd& free) const;
  void find_free_fall();
  void find_energy_round_off();
  double change_with_surfaces(double from, double to, const VectorXd& q) const;

  NodalParts parts_;
  std::vector<int> free_vertex_;  ///< the vertex of each block row
  std::vector<int> dof_;          ///< the block row of each vertex, or -1
  VectorXd mass_;
  std::vector<std::vector<int>> free_pieces_, held_pieces_;
  bool supports_move_ = false;
  bool has_friction_ = false;
  int places_ = 0;
  std::vector<int> first_place_;  ///< of each obstacle
  const SurfaceContact* surfaces_ = nullptr;  ///< none where bodies do not touch
  int bodies_ = 1;
  double free_fall_ = 0;  ///< [m/s^2]
  double energy_round_off_ = 0;
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<const System> without_obstacles_;  ///< none where there are no obstacles
  std::unique_ptr<const SharedRows> shared_points_, shared_vertices_;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
