#pragma once
// Energies without coupling between vertices: gravity, soft attachments and penalty contact.

#include "brio/energy/energy.hpp"
#include "brio/energy/motion.hpp"
#include "brio/energy/obstacle.hpp"

#include <memory>

namespace brio {

/// An energy that is a sum over chosen vertices; the second derivative is block diagonal.
class VertexEnergy : public Energy {
 public:
  VertexEnergy(Ledger ledger, std::vector<int> vertices) : Energy(ledger), vertices_(std::move(vertices)) {}
  void add_couplings(std::vector<std::pair<int, int>>&) const override {}
  void attach(const BlockLayout& layout) override;
  bool internal() const override { return false; }
  void add_held(std::vector<int>&) const override {}

 protected:
  std::vector<int> vertices_;
  std::vector<int> slot_;  ///< of each vertex's diagonal block, or -1
};

/// Weight: E = -sum m g.x
class GravityEnergy : public VertexEnergy {
 public:
  /// On the given vertices, ascending; vertex_mass is that of all.
  GravityEnergy(const VectorXd& vertex_mass, const Vec3& gravity, std::vector<int> vertices);
  /// On all vertices.
  GravityEnergy(const VectorXd& vertex_mass, const Vec3& gravity);
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  bool time_dependent() const override { return false; }

 private:
  /// Vertices with consecutive numbers: their weight is one product.
  struct Run {
    int first, count;
  };
  std::vector<Run> runs_;
  VectorXd weight_;  ///< m g of vertices_, stacked [N]
};

/// Springs of rest length zero to points that may move: E = k/2 |x - target(t)|^2
class AttachmentEnergy : public VertexEnergy, public ProjectiveEnergy {
 public:
  /// Stiffness [N/m] of each vertex's spring; the targets are the vertices' positions in x0, carried by the motion.
  AttachmentEnergy(std::vector<int> vertices, const MatrixX3d& x0, double stiffness,
                   std::shared_ptr<const Motion> motion);
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_projective_weights(VectorXd& slot_values) const override;
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return motion_->moves(); }
  void add_held(std::vector<int>& vertices) const override {
    vertices.insert(vertices.end(), vertices_.begin(), vertices_.end());
  }

 private:
  MatrixX3d target_;
  double stiffness_;
  std::shared_ptr<const Motion> motion_;
};

/// Penalty against penetration: E = k/2 a phi^2 where the signed distance phi < 0. A tangential share alpha makes the
/// stiffness k a ((1 - alpha) n n^T + alpha I), as of a spring to the nearest point x_s of the surface (McAdams et al.
/// 2011): during a step x_s stays, and after it x_s is the nearest point again. So the force k a (x - x_s) and the
/// energy do not depend on alpha, and what alpha takes from a slide is lost by the step and not stored.
class ContactEnergy : public VertexEnergy, public ObstacleContact {
 public:
  /// Stiffness [Pa/m]; area [m^2] is the surface that each vertex stands for; friction is Coulomb's coefficient;
  /// tangential is alpha.
  ContactEnergy(std::vector<int> vertices, VectorXd area, double stiffness, std::shared_ptr<const ObstacleShape> shape,
                std::shared_ptr<const Motion> motion, double friction = 0, double tangential = 0);
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  int places() const override { return static_cast<int>(vertices_.size()); }
  double friction() const override { return friction_; }
  void add_touches(double t0, const VectorXd& x0, double t1, const VectorXd& x1, int first,
                   std::vector<Touch>& touches) const override;
  const ObstacleContact* contact() const override { return this; }
  bool time_dependent() const override { return motion_->moves(); }

 private:
  VectorXd area_;
  double stiffness_, friction_, tangential_;
  std::shared_ptr<const ObstacleShape> shape_;
  std::shared_ptr<const Motion> motion_;
};

}  // namespace brio
