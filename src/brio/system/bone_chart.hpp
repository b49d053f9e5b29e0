#pragma once
// Bones, and tissue that is fixed to them, as a system that every integrator can step: coordinates about the
// configuration at the beginning of a step, in which the mass is diagonal there. With M(q0) = L L^T for the bones, the
// configuration is q0 + y, xi = L^T y. What the changing mass and the curved coordinates do beside that is in the load,
// so that the acceleration is exact everywhere: xi'' = L^T S^-1 (M(q)^-1 (force - bias - D u) - S' y'), u = S y' (see
// Skeleton). Vertices of tissue that no bone carries keep their own coordinates, which come first.

#include "brio/linalg/dense.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/system/nodal_system.hpp"

namespace brio {

class BoneChart : public System, public ContactSystem {
 public:
  /// A nodal system that has the bones' points among its vertices, none of them supported; it gives potentials and
  /// loads, those of obstacles and of bodies that touch with them unless they are left out.
  BoneChart(const NodalSystem& nodal, std::shared_ptr<const BonePoints> points, Obstacles obstacles = Obstacles::felt);

  /// Puts the middle of the chart where the bones of a state of the nodal system are; returns that state in the chart.
  State enter(const State& nodal);
  /// A state in the chart as one of the nodal system.
  void leave(const State& local, State& nodal) const;
  /// The largest angle by which a joint has turned since the middle [rad].
  double largest_turn(const State& local) const;
  const NodalSystem& nodal() const { return nodal_; }
  /// Coordinates that are those of tissue; the others are the bones' xi.
  Index tissue() const { return 3 * static_cast<Index>(tissue_.size()); }
  /// The points of tissue, as block rows of the nodal system.
  const std::vector<int>& tissue_points() const { return tissue_; }
  /// The point of tissue (three coordinates) that a block row of the nodal system is, -1 where a bone carries it or where
  /// it belongs to one.
  int tissue_row(int point) const { return tissue_point_[point]; }

  Index dofs() const override { return mass_.size(); }
  const VectorXd& mass() const override { return mass_; }
  bool has_damping() const override { return points_->skeleton().damped(); }
  bool time_dependent() const override {
    return obstacles_ == Obstacles::felt ? nodal_.time_dependent() : nodal_.time_dependent_without_obstacles();
  }
  /// Other bodies than those with bones, where nothing holds them.
  const std::vector<std::vector<int>>& free_pieces() const override { return free_pieces_; }
  Potentials potentials(double t, const VectorXd& z) const override;
  void gradient(double t, const VectorXd& z, VectorXd& g) const override;
  void load(double t, const VectorXd& z, const VectorXd& v, VectorXd& f) const override;
  void working_load(double t, const VectorXd& z, const VectorXd& v, VectorXd& f) const override;
  double kinetic_energy(const VectorXd& z, const VectorXd& v) const override;
  Potentials potentials_and_gradient(double t, const VectorXd& z, VectorXd& g) const override;
  std::unique_ptr<Linearization> linearization() const override;
  VectorXd rest() const override;
  double free_fall() const override;
  double energy_round_off() const override { return nodal_.energy_round_off(); }
  void positions(double t, const VectorXd& z, MatrixX3d& x) const override;
  /// Of bones in the middle of the chart.
  void velocities(double t, const VectorXd& v, MatrixX3d& u) const override;

  // Contact of bodies that touch; without them bones feel obstacles as energies. The points of tissue come first, then
  // those that bones carry.
  const ContactSystem* contacts() const override { return bare_ ? this : nullptr; }
  const System& without_obstacles() const override { return *bare_; }
  int places() const override { return nodal_.places(); }
  int obstacle_of(int place) const override { return nodal_.obstacle_of(place); }
  bool has_friction() const override { return nodal_.has_friction(); }
  void find_touches(double t0, const VectorXd& z0, double t1, const VectorXd& z1,
                    std::vector<Touch>& touches) const override;
  const CollisionSurface* surfaces() const override { return nodal_.surfaces(); }
  int point_of(int vertex) const override;
  int vertex_of(int point) const override;
  int points() const override { return static_cast<int>(tissue_.size() + carried_.size()); }
  int own_points() const override { return static_cast<int>(tissue_.size()); }
  void find_carried(const VectorXd& z, MatrixXd& velocities) const override;
  void stack_positions(double t, const VectorXd& z, VectorXd& x) const override;
  double potential_change(double from, double known, double to, const VectorXd& z) const override;

  /// Second derivatives of the potentials at a place: P^T K P + the bones' own, where P is the identity on tissue and B
  /// on the coordinates of bones. Exact in the middle of the chart; away from it a part that grows with the turn is
  /// missing.
  struct Derivatives {
    VectorXd gradient;
    BlockMatrix K;          ///< of the nodal system
    MatrixXd B;             ///< velocities of the nodal system by xi'
    MatrixXd own;           ///< of xi: joints, and the turning of forces
    MatrixXd D;             ///< of xi: damping
    OutsideForces outside;  ///< of the nodal system, where the chart has free pieces
  };
  void derivatives(double t, const VectorXd& z, Psd psd, Derivatives& out) const;

  void gather_tissue(const VectorXd& free, Eigen::Ref<VectorXd> z) const;
  void scatter_tissue(const Eigen::Ref<const VectorXd>& z, VectorXd& free) const;

 private:
  struct Place;  ///< a point of the chart in all its guises
  Place at(const VectorXd& z) const;
  VectorXd scattered(const VectorXd& free) const;
  VectorXd free_part(const VectorXd& stacked) const;
  VectorXd in_chart(const Place& place, const VectorXd& generalized) const;
  VectorXd chart_velocity(const SkeletonPose& pose, const MatrixXd& S, const VectorXd& v) const;

  const NodalSystem& nodal_;
  std::shared_ptr<const BonePoints> points_;
  std::vector<int> tissue_;
  std::vector<int> tissue_point_;  ///< the other way round: of each block row of the nodal system, or -1
  std::vector<int> carried_;       ///< the other block rows
  std::vector<int> carried_row_;   ///< the other way round, or -1
  Obstacles obstacles_;
  std::unique_ptr<BoneChart> bare_;  ///< without what touches, with the same middle; where bodies touch
  VectorXd base_;
  DenseCholesky L_;
  VectorXd mass_;
  std::vector<std::vector<int>> free_pieces_;  ///< as points of tissue
};

}  // namespace brio
