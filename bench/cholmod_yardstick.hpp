#pragma once
// CHOLMOD called directly, as a user would: its own ordering, its own supernodal factorization with all cores in
// OpenBLAS, its own solve. What brio's steps are measured against.

#include "brio/linalg/block_matrix.hpp"

#include <memory>

namespace brio::bench {

class CholmodYardstick {
 public:
  explicit CholmodYardstick(const BlockPattern& pattern);
  ~CholmodYardstick();

  struct Seconds {
    double factor, solve;
  };
  /// Factors scale * K + diag(shift) and solves for one right-hand side.
  Seconds run(const BlockMatrix& K, double scale, const VectorXd& shift, const VectorXd& rhs);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace brio::bench
