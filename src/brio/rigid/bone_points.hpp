#pragma once
// Represents bones as vertices: six point masses per bone reproduce its mass, center and inertia exactly, and the
// points of its surface have almost no mass. So energies, loads, momenta and output that work on vertices also work on
// bones; the positions of the six points determine the pose of the bone.

#include "brio/rigid/skeleton.hpp"

#include <memory>

namespace brio {

/// The surface of a bone; may be empty.
struct BoneSurface {
  MatrixX3d X;  ///< in the rest pose [m]
  MatrixX3i triangles;
};

/// Vertices of a body of tissue that belong to a bone. The bone's mass properties include theirs (see with_points).
struct BoneGrip {
  int bone = 0;
  std::vector<int> vertices;  ///< numbers among all vertices
  MatrixX3d X;                ///< where they are in the rest pose [m]
  VectorXd mass;              ///< [kg]
};

/// A body with points of mass fixed to it.
MassProperties with_points(const MassProperties& body, const MatrixX3d& X, const VectorXd& mass);

class BonePoints {
 public:
  /// One surface per bone of the skeleton, in its order. `first` is the number that the first point has among all
  /// vertices. Throws Error where an inertia is too small for its surface.
  BonePoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<BoneSurface>& surfaces, int first = 0,
             const std::vector<BoneGrip>& grips = {});

  const Skeleton& skeleton() const { return *skeleton_; }
  int first() const { return first_; }
  int count() const { return own_; }  ///< of the bones' own points: those of grips not counted
  MatrixX3d rest_positions() const { return X_.topRows(own_); }  ///< of the bones' own points
  /// All points that move with bones, those of grips last: their numbers among all vertices.
  const std::vector<int>& vertices() const { return vertex_; }
  const VectorXd& mass() const { return mass_; }             ///< of each point, those of grips too [kg]
  const std::vector<int>& bone() const { return bone_; }     ///< of each point
  const MatrixX3i& triangles() const { return triangles_; }  ///< numbers among all vertices
  std::vector<int> surface_vertices() const;                 ///< numbers among all vertices

  /// The configuration of the bones whose points are at x (stacked over all vertices) [m].
  VectorXd configuration(const VectorXd& x) const;
  /// The velocities that have the momentum of the points moving at v (stacked over all vertices): M^-1 B^T m v.
  VectorXd velocity(const SkeletonPose& pose, const VectorXd& v) const;
  void put_positions(const SkeletonPose& pose, VectorXd& x) const;
  void put_velocities(const SkeletonPose& pose, const VectorXd& u, VectorXd& v) const;
  /// The forces f on the bones' points at x (both stacked over all vertices), bone by bone.
  std::vector<ForceMoments> moments(const VectorXd& x, const VectorXd& f) const;
  /// The generalized force of forces f on the points at x.
  VectorXd generalized(const SkeletonPose& pose, const VectorXd& x, const VectorXd& f) const;
  /// Adds forces on the points (to f, stacked over all vertices) that amount to the wrenches on the bones.
  void add_wrenches(const SkeletonPose& pose, const std::vector<Wrench>& wrenches, VectorXd& f) const;

 private:
  /// The six points: center +- reach[k] axes.col(k), each with a sixth of the mass.
  struct Six {
    double mass = 0;
    Vec3 center, reach;
    Mat3 axes;
  };
  static Six six_points(const MassProperties& body, const MatrixX3d& X, const VectorXd& mass);

  std::shared_ptr<const Skeleton> skeleton_;
  int first_, own_ = 0;
  std::vector<Six> six_;
  MatrixX3d X_;
  VectorXd mass_;
  std::vector<int> bone_, vertex_;
  MatrixX3i triangles_;
};

}  // namespace brio
