#pragma once
// Where each iteration of contact is looked for first: the directions of all iterations of the step so far, with
// coefficients of its own for each connected piece. A = M + h D + h^2 K does not change within a step and couples no two
// pieces, so that one solve with it gives as many directions as there are pieces; what contact adds to A, which does
// change, is a small matrix in this space (Galerkin's method). It begins with the rigid motions of free pieces: a piece
// that lies on others moves as a whole against their stiffness with nothing but its mass, so that these are by far the
// worst conditioned; and with the joints of bones, each with the motion of all tissue that a force on it makes.

#include "brio/integrate/parts/contact_terms.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/system/system.hpp"

#include <Eigen/Cholesky>

namespace brio {

class ContactSpace {
 public:
  /// `joints`: how many of the last coordinates are no points.
  ContactSpace(const System& system, Index joints);

  /// The motions that it begins with, for pieces at q and the A that `lin` has factored.
  void begin(const VectorXd& q, double h, Linearization& lin);
  /// From here on for A + C and the gradient g, which stay until the next call.
  void couple(const ContactTerms& terms, const VectorXd& gradient);
  /// Finds the minimum of 1/2 d^T (A + C) d + g^T d in the space; returns how far that is below zero.
  double minimize();
  /// Overwrites d with it, and Ad with A d.
  void place(VectorXd& d, VectorXd& Ad) const;
  /// Adds w = A^-1 r, piece by piece, where r is what is left of the gradient at the minimum. False where the space is
  /// full.
  bool add(const VectorXd& w, const VectorXd& r);

 private:
  static constexpr int kMostGroups = 64;     // more pieces than this are taken together
  static constexpr int kMostUnknowns = 800;  // the matrix is dense

  /// Consecutive coordinates.
  struct Run {
    Index begin, size;
  };
  /// A piece, or all that is no piece of its own.
  struct Group {
    const Points* free = nullptr;  ///< the points of a free piece
    std::vector<Run> runs;
    int begun = 0;   ///< columns that it begins with
    int count = 0;   ///< columns
    bool touches = false;
  };
  /// Terms with the same groups, -1 where there are fewer than four.
  struct Coupled {
    std::array<int, 4> groups;
    int term;
    auto operator<=>(const Coupled&) const = default;
  };
  struct Unknown {
    int group, column;
  };

  void find_groups();
  void find_rigid_motions(const VectorXd& q, double h, Linearization& lin);
  /// v^T A u of two directions of a group.
  double dot(const Group& group, int column, int image) const;
  /// Takes out of one direction what it has of another.
  void subtract_part(const Group& group, int from, int column);
  void orthonormalize(Group& group, int columns);
  void make_room();
  void find_coupled();
  void add_unknown(int group, int column);
  /// Fills the columns of the matrix from an unknown on.
  void add_all_coupled(Index from);
  void add_coupled(size_t begin, size_t end, Index from);
  void append(Index from);
  Index room() const { return (V_.cols() - base_) / 3; }
  int group_of(int point) const {
    return point < static_cast<int>(group_of_.size()) ? group_of_[point] : static_cast<int>(groups_.size()) - 1;
  }

  const System& system_;
  Index joints_;
  Index base_;                 ///< columns that motions to begin with may take
  std::vector<int> group_of_;  ///< of each point
  std::vector<Group> groups_;  ///< joints are in the last one
  MatrixXd V_, image_;         ///< directions and A times them; a column has one direction of each group
  MatrixXd motions_;           ///< that it begins with

  const ContactTerms* terms_ = nullptr;
  const VectorXd* gradient_ = nullptr;
  std::vector<Coupled> coupled_;
  std::vector<int> touched_, slot_;  ///< points of the terms, and the place of each point among them, or -1
  MatrixXd there_;                   ///< the directions at these points, a column for each coordinate
  std::vector<Unknown> unknowns_;  ///< of groups that touch
  Eigen::MatrixXi index_;          ///< of the unknown of each column of each group
  MatrixXd matrix_;                ///< V^T (A + C) V, its last columns
  MatrixXd lower_;                 ///< its factor
  Eigen::LLT<MatrixXd> llt_;
  VectorXd forward_, y_;           ///< the solutions of its two triangles
  MatrixXd share_;                 ///< what the minimum has of each direction, a column for each group
  std::vector<int> place_, wanted_;  ///< unknowns of coupled groups, and those among them whose columns are filled
  MatrixXd rows_, columns_, product_, beside_;
};

}  // namespace brio
