#pragma once
// Newton's equation (A + C) d = -g of bodies that touch, in the space of the directions that are known
// (contact_basis.hpp): what contact adds to A is a small dense matrix there (Galerkin's method).

#include "brio/integrate/parts/contact_basis.hpp"
#include "brio/integrate/parts/contact_terms.hpp"

#include <Eigen/Cholesky>

namespace brio {

class ContactSpace {
 public:
  /// `joints`: how many of the last coordinates are no points.
  ContactSpace(const System& system, Index joints) : basis_(system, joints) {}

  ContactBasis& basis() { return basis_; }
  /// From here on for A + C, the gradient g, and the force of contact in it.
  void couple(const ContactTerms& terms, const VectorXd& gradient, const VectorXd& force);
  /// Finds the minimum of 1/2 d^T (A + C) d + g^T d in the space; returns how far that is below zero.
  double minimize();
  /// Overwrites d with it, and Ad with A d.
  void place(VectorXd& d, VectorXd& Ad) { basis_.combine(share_, d, Ad); }
  /// Adds w, piece by piece, which is about A^-1 times what is left of the gradient at the minimum. False where the
  /// space is full.
  bool add(const VectorXd& w);
  /// The energy with which the force of contact strains pieces, as far as the directions know.
  double strain_energy() const;

 private:
  static constexpr int kMostUnknowns = 1600;  // the matrix is dense
  static constexpr Index kLeastRoom = 4;      // directions of each piece that an iteration can add

  struct Unknown {
    int group, column;
  };
  /// Groups that terms couple, -1 where there are fewer than four.
  using Groups = std::array<int, 4>;
  struct Coupled {
    Groups groups;
    int term;
    auto operator<=>(const Coupled&) const = default;
  };
  /// Some terms with the same groups: C is the sum of rows^T rows in their unknowns.
  struct Block {
    size_t begin, end;         ///< of the coupled terms
    std::vector<int> unknown;  ///< of each column
    Index filled = 0;          ///< rows
    MatrixXd rows, product;
  };

  void find_coupled();
  void make_room();
  /// Unknowns of the directions of a group from a column on.
  void add_unknowns(int group, int from);
  /// The directions at the points of the terms that were not there before.
  void copy_directions();
  /// Fills the columns of the matrix from an unknown on.
  void fill_matrix(Index from);
  void fill_rows(Block& block, Index from);
  void append(Index from);
  void project();

  ContactBasis basis_;
  const ContactTerms* terms_ = nullptr;
  VectorXd gradient_, force_;  ///< gathered
  std::vector<char> touches_;  ///< of each group
  std::vector<Coupled> coupled_;
  std::vector<Mat3> factor_;  ///< of each coupled term: rows whose squares add up to its stiffness
  std::vector<int> rank_;     ///< how many they are
  std::vector<Block> blocks_;
  size_t block_count_ = 0;               ///< of these are in use
  std::vector<int> touched_, slot_;      ///< points of the terms, and the place of each point among them, or -1
  MatrixXd there_;                       ///< the last directions at these points, a column for each coordinate
  std::vector<int> copied_;              ///< how many directions of each group are there
  std::vector<int> projected_;           ///< how many of them the slope and the force are known along
  std::vector<Unknown> unknowns_;        ///< of groups that touch
  std::vector<std::vector<int>> index_;  ///< of the unknown of each column of each group
  MatrixXd matrix_;                      ///< V^T (A + C) V, its last columns
  MatrixXd lower_;                       ///< its factor
  Eigen::LLT<MatrixXd> llt_;
  VectorXd forward_, y_;  ///< the solutions of its two triangles
  MatrixXd slope_;        ///< g along each direction, a column for each group
  MatrixXd forces_;       ///< the same of the force of contact
  MatrixXd share_;        ///< what the minimum has of each direction
  MatrixXd beside_, product_;
};

}  // namespace brio
