#include "brio/energy/tie_energy.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {

TieEnergy::TieEnergy(std::vector<Tie> ties, double stiffness)
    : Energy(Ledger::elastic), ties_(std::move(ties)), stiffness_(stiffness) {
  for (const Tie& tie : ties_)
    for (int i = 0; i < 4; ++i)
      if (tie.weights[i] != 0 && tie.carriers[i] == tie.vertex) throw Error("vertex {} is tied to itself", tie.vertex);
}

std::array<TieEnergy::Member, 5> TieEnergy::members(const Tie& tie) {
  std::array<Member, 5> all;
  all[0] = {tie.vertex, 1};
  for (int i = 0; i < 4; ++i) all[i + 1] = {tie.carriers[i], -tie.weights[i]};
  return all;
}

void TieEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  for (size_t k = 0; k < ties_.size(); ++k) {
    const Tie& tie = ties_[k];
    const std::array<Member, 5> all = members(tie);
    Vec3 d = Vec3::Zero();
    for (const Member& member : all) d += member.share * x.segment<3>(3 * member.vertex);
    const double l = d.norm(), stretch = l - tie.length;
    if (want.value) *want.value += 0.5 * stiffness_ * stretch * stretch;
    // Where both ends meet, a spring with a length has no direction; one without pulls with k d all the same.
    const double pull = tie.length == 0 ? 1 : l > 1e-12 * tie.length ? stretch / l : 0;
    if (want.gradient)
      for (const Member& member : all)
        want.gradient->segment<3>(3 * member.vertex) += stiffness_ * pull * member.share * d;
    if (!want.hessian) continue;
    const double across = want.psd == Psd::clamp ? std::max(pull, 0.0) : pull;
    Mat3 H = across * Mat3::Identity();
    if (tie.length > 0 && l > 0) H += (1 - across) / (l * l) * d * d.transpose();
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b) {
        if (slots_[k][a][b] < 0) continue;
        double* block = want.hessian->block(slots_[k][a][b]);
        const double factor = stiffness_ * all[a].share * all[b].share;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) block[3 * i + j] += factor * H(i, j);
      }
  }
}

void TieEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for (const Tie& tie : ties_) {
    const std::array<Member, 5> all = members(tie);
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < a; ++b)
        if (all[a].share != 0 && all[b].share != 0) pairs.emplace_back(all[a].vertex, all[b].vertex);
  }
}

void TieEnergy::attach(const BlockLayout& layout) {
  slots_.resize(ties_.size());
  for (size_t k = 0; k < ties_.size(); ++k) {
    const std::array<Member, 5> all = members(ties_[k]);
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b) {
        const int row = layout.dof[all[a].vertex], column = layout.dof[all[b].vertex];
        const bool counts = all[a].share != 0 && all[b].share != 0 && column >= 0 && row >= column;
        slots_[k][a][b] = counts ? layout.pattern->slot(row, column) : -1;
      }
  }
}

void TieEnergy::add_projective_weights(VectorXd& slot_values) const {
  for (size_t k = 0; k < ties_.size(); ++k) {
    const std::array<Member, 5> all = members(ties_[k]);
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b)
        if (slots_[k][a][b] >= 0) slot_values[slots_[k][a][b]] += stiffness_ * all[a].share * all[b].share;
  }
}

}  // namespace brio
