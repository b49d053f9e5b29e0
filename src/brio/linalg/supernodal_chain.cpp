#include "brio/linalg/supernodal_chain.hpp"

#include "brio/linalg/supernodal_dense.hpp"

#include <algorithm>
#include <vector>

namespace brio {

double longest_chain(const Symbolic& symbolic) {
  std::vector<double> chain(symbolic.families.size(), 0);  // until the family's children are done, then until it is
  double longest = 0;
  for (size_t g = 0; g < chain.size(); ++g) {
    const Family& family = symbolic.families[g];
    for (int f = family.first_front; f <= family.top; ++f)
      chain[g] += longest_chain(symbolic.fronts[f].columns, symbolic.fronts[f].below);
    longest = std::max(longest, chain[g]);
    if (family.parent >= 0) chain[family.parent] = std::max(chain[family.parent], chain[g]);
  }
  return longest;
}

}  // namespace brio
