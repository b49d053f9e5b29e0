#pragma once
// Directions in which bodies that touch are moved, with coefficients of its own for each connected piece, orthonormal
// with respect to A = M + h D + h^2 K. A couples no two pieces, so that one solve with it gives as many directions as
// there are pieces.

#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/system/system.hpp"

namespace brio {

class ContactBasis {
 public:
  /// `joints`: how many of the last coordinates are no points.
  ContactBasis(const System& system, Index joints);

  /// A piece, or all that is no piece of its own.
  struct Group {
    const Points* free = nullptr;  ///< the points of a free piece
    Index begin = 0, size = 0;     ///< its rows, which are gathered
    int count = 0;                 ///< its directions
    int begun = 0;                 ///< those that it began the step with
    int rigid = 0;                 ///< those of them that are motions without strain, or of joints
  };

  /// For pieces at q and the A that `lin` has factored: rigid motions of free pieces, motions of joints with all tissue
  /// that a force on them moves, the way that the method leads, with A times it, and ways of the last steps, at most
  /// RecentWays::kMost.
  void begin(const VectorXd& q, double h, const VectorXd& way, const VectorXd& image_of_way, const MatrixXd& recent,
             Linearization& lin);
  /// Adds w, piece by piece, less what is there of it already. False where a piece has no room.
  bool add(const VectorXd& w);
  /// Half of the directions of the step go, the oldest ones.
  void halve();

  Index capacity() const { return capacity_; }
  const std::vector<Group>& groups() const { return groups_; }
  int group_of(int point) const {
    return point < static_cast<int>(group_of_.size()) ? group_of_[point] : static_cast<int>(groups_.size()) - 1;
  }
  /// The directions of a group at one of its points, a row for each coordinate.
  Eigen::Block<const Eigen::Map<const MatrixXd>> at_point(int point) const;
  /// ... at the joints, which are in the last group.
  Eigen::Block<const Eigen::Map<const MatrixXd>> at_joints() const;
  /// The coordinates of x in the order of the groups.
  void gather(const VectorXd& x, VectorXd& rows) const;
  /// The products of gathered rows and the directions, a column of `shares` for each group: those `from` a direction of
  /// each group on; the others stay.
  void project(const VectorXd& rows, const std::vector<int>& from, MatrixXd& shares);
  /// The energy with which a force strains pieces in these directions.
  double strain_energy(const VectorXd& force);
  /// d = V shares, Ad = A d
  void combine(const MatrixXd& shares, VectorXd& d, VectorXd& Ad);

 private:
  static constexpr int kRigid = 6;

  /// Consecutive rows of a group.
  struct Tile {
    int group;
    Index first, rows;  ///< counted from the group's first one
  };
  using Columns = Eigen::Map<MatrixXd>;

  void find_groups();
  bool fill_rigid_motions(const VectorXd& q);
  void multiply(Index first, Index count);
  void take_columns(const Group& group, Index from, Index count, Index to);
  /// V^T A V = 1 for the columns of a group, the first ones `rigid`, without those that the others have already: a rope
  /// cannot be turned about itself, nor a point at all.
  void orthonormalize(int group, int rigid, int columns);
  Columns directions(const Group& group) { return {V_.data() + group.begin * capacity_, group.size, capacity_}; }
  Columns images(const Group& group) { return {AV_.data() + group.begin * capacity_, group.size, capacity_}; }
  template <class Work>
  void for_tiles(const Work& work);
  /// Sums over the tiles of each group, in their order, of the directions from one of each group on.
  void add_up(const std::vector<int>& from, MatrixXd& shares) const;

  const System& system_;
  Linearization* lin_ = nullptr;  ///< A
  double h_ = 0;                  ///< [s]
  Index joints_;
  Index capacity_ = 0;         ///< most columns of a group
  std::vector<int> group_of_;  ///< of each point
  std::vector<Group> groups_;  ///< joints are in the last one
  std::vector<Tile> tiles_;
  std::vector<int> order_;     ///< the coordinate of each gathered row
  std::vector<int> row_of_;    ///< and back
  VectorXd V_, AV_;            ///< directions and A times them, group by group, column by column
  MatrixXd motions_, images_;  ///< that it begins with, over all coordinates
  MatrixXd partial_;           ///< a column for each tile
  MatrixXd gram_, lower_;
  std::vector<int> independent_, first_, rigid_;  ///< the latter: of each group
  std::vector<double> scratch_;
  VectorXd image_, damped_, w_, Aw_, norms_;
  MatrixXd parts_;
};

}  // namespace brio
