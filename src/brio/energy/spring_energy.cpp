#include "brio/energy/spring_energy.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>

namespace brio {

SpringEnergy::SpringEnergy(const MatrixX3d& X, const MatrixX2i& springs, const VectorXd& stiffness, int first_vertex)
    : Energy(Ledger::elastic),
      first_vertex_(first_vertex),
      begin_(X.rows() + 1, 0),
      ends_(2 * springs.rows()),
      diagonal_(X.rows(), -1) {
  for (Index s = 0; s < springs.rows(); ++s) {
    if (springs(s, 0) == springs(s, 1)) throw Error("spring {} joins vertex {} to itself", s, springs(s, 0));
    for (int end = 0; end < 2; ++end) ++begin_[springs(s, end) + 1];
  }
  for (Index v = 0; v < X.rows(); ++v) begin_[v + 1] += begin_[v];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (Index s = 0; s < springs.rows(); ++s) {
    const int i = springs(s, 0), j = springs(s, 1);
    const double length = (X.row(i) - X.row(j)).norm();
    if (!(length > 0)) throw Error("spring {} between vertices {} and {} has no length", s, i, j);
    ends_[next[i]++] = {first_vertex_ + j, length, stiffness[s], true};
    ends_[next[j]++] = {first_vertex_ + i, length, stiffness[s], false};
  }
}

void SpringEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  constexpr int kGrain = 128;
  const double energy = parallel_sum(static_cast<int>(diagonal_.size()), kGrain, [&](int first, int last) {
    double sum = 0;
    for (int v = first; v < last; ++v) {
      for (int e = begin_[v]; e < begin_[v + 1]; ++e) {
        const End& end = ends_[e];
        const Vec3 d = x.segment<3>(3 * (first_vertex_ + v)) - x.segment<3>(3 * end.other);
        const double l = d.norm(), k = end.stiffness, stretch = l - end.length;
        if (end.counts_energy) sum += 0.5 * k * stretch * stretch;
        if (!want.gradient && !want.hessian) continue;
        // Where both ends meet every direction is as good as another; none is chosen.
        const Vec3 n = l > 1e-12 * end.length ? Vec3(d / l) : Vec3::Zero();
        if (want.gradient) want.gradient->segment<3>(3 * (first_vertex_ + v)) += k * stretch * n;
        if (want.hessian && diagonal_[v] >= 0) {
          double across = stretch / std::max(l, 1e-12 * end.length);  // negative when the spring is pressed together
          if (want.psd == Psd::clamp) across = std::max(across, 0.0);
          const Mat3 H = k * (n * n.transpose() + across * (Mat3::Identity() - n * n.transpose()));
          const auto add = [&](int slot, double sign) {
            double* block = want.hessian->block(slot);
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j) block[3 * i + j] += sign * H(i, j);
          };
          add(diagonal_[v], 1);
          if (end.off_diagonal >= 0) add(end.off_diagonal, -1);
        }
      }
    }
    return sum;
  });
  if (want.value) *want.value += energy;
}

void SpringEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for (size_t v = 0; v < diagonal_.size(); ++v)
    for (int e = begin_[v]; e < begin_[v + 1]; ++e)
      if (ends_[e].counts_energy) pairs.emplace_back(first_vertex_ + static_cast<int>(v), ends_[e].other);
}

void SpringEnergy::attach(const BlockLayout& layout) {
  for (size_t v = 0; v < diagonal_.size(); ++v) {
    const int dof = layout.dof[first_vertex_ + v];
    diagonal_[v] = dof < 0 ? -1 : layout.pattern->slot(dof, dof);
    for (int e = begin_[v]; e < begin_[v + 1]; ++e) {
      const int other = layout.dof[ends_[e].other];
      ends_[e].off_diagonal = dof > other && other >= 0 ? layout.pattern->slot(dof, other) : -1;
    }
  }
}

void SpringEnergy::add_projective_weights(VectorXd& slot_values) const {
  for (size_t v = 0; v < diagonal_.size(); ++v) {
    if (diagonal_[v] < 0) continue;
    for (int e = begin_[v]; e < begin_[v + 1]; ++e) {
      slot_values[diagonal_[v]] += ends_[e].stiffness;
      if (ends_[e].off_diagonal >= 0) slot_values[ends_[e].off_diagonal] -= ends_[e].stiffness;
    }
  }
}

}  // namespace brio
