#include "brio/core/error.hpp"
#include "brio/scene/condensation.hpp"
#include "brio/system/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

Vec3 place(const NodalSystem& system, int vertex) { return system.rest_positions().row(vertex).transpose(); }

/// Distance of every free point from the nearest vertex of a growing set [m], of which those that bones lead are.
class Distances {
 public:
  explicit Distances(const NodeSource& from)
      : system_(from.system), nearest_(VectorXd::Constant(from.system.dofs() / 3, kFar)) {
    for (Index i = 0; i < nearest_.size(); ++i)
      if (from.prescribed[system_.vertex_of(static_cast<int>(i))]) nearest_[i] = 0;
  }
  void add(int vertex) {
    const Vec3 x = place(system_, vertex);
    for (Index i = 0; i < nearest_.size(); ++i)
      nearest_[i] = std::min(nearest_[i], (place(system_, system_.vertex_of(static_cast<int>(i))) - x).norm());
  }
  const VectorXd& nearest() const { return nearest_; }

 private:
  const NodalSystem& system_;
  VectorXd nearest_;
};

std::vector<int> by_indices(const Options& o, const NodeSource& from) {
  std::vector<int> nodes;
  for (double index : o.numbers("indices")) {
    if (index >= from.system.vertices())
      throw Error("there is no vertex {}; the body has {}, counted from 0", index, from.system.vertices());
    nodes.push_back(static_cast<int>(index));
  }
  return nodes;
}

std::vector<int> set(const Options& o, const NodeSource& from) { return from.sets.at(o.text("set")); }

/// Vertices of the body that supports or bones lead count as chosen, so that nodes come to where the body is free to
/// move.
std::vector<int> farthest(const Options& o, const NodeSource& from) {
  const NodalSystem& system = from.system;
  const int count = std::min<int>(o.integer("count"), static_cast<int>(system.dofs() / 3));
  const double least = o.number("distance");
  Distances chosen(from);
  bool held = false;
  for (int v = 0; v < from.body; ++v)
    if (from.prescribed[v]) chosen.add(v), held = true;
  std::vector<int> nodes;
  while (static_cast<int>(nodes.size()) < count) {
    Index best = 0;
    if (nodes.empty() && !held) {
      const Vec3 center = system.rest_positions().topRows(from.body).colwise().mean().transpose();
      double far = -1;
      for (Index i = 0; i < from.body; ++i) {
        const double d = (place(system, system.vertex_of(static_cast<int>(i))) - center).norm();
        if (d > far) best = i, far = d;
      }
    } else if (!(chosen.nearest().maxCoeff(&best) > 0) || (chosen.nearest()[best] < least && !nodes.empty())) {
      break;
    }
    nodes.push_back(system.vertex_of(static_cast<int>(best)));
    chosen.add(nodes.back());
  }
  return nodes;
}

/// Greedily the vertex that moves most in the slowest modes, each scaled to equal energy, after what the nodes before
/// it already tell has been taken out: a pivoted Gram-Schmidt over vertices.
std::vector<int> along_modes(const Options& o, const NodeSource& from) {
  const NodalSystem& system = from.system;
  if (from.body < system.vertices()) throw Error("vibrations of tissue on bones are not computed; choose \"farthest\"");
  const Index points = system.dofs() / 3;
  const int count = std::min<int>(o.integer("count"), static_cast<int>(points));
  const double least = o.number("distance");
  const auto lin = system.linearization();
  VectorXd gradient;
  lin->assemble(from.start.t, from.start.q, Psd::clamp, gradient);
  const int wanted = std::min<int>(3 * count, static_cast<int>(system.dofs()));
  const std::optional<double> shift = least_shift(*lin, system.mass());
  if (!shift)
    throw Error("the stiffness cannot be factored: it is zero or not finite, or the shape is far from stable");
  const ElasticModes found = find_elastic_modes(*lin, system.mass(), wanted, 0, *shift);
  if (!found.trouble.empty()) throw Error("{}", found.trouble);
  MatrixXd U = found.modes.U.rightCols(found.modes.U.cols() - found.rigid);
  const VectorXd lambda = found.modes.lambda.tail(U.cols());
  for (Index j = 0; j < U.cols(); ++j) U.col(j) /= std::sqrt(std::max(lambda[j], 1e-12 * lambda.maxCoeff()));
  Distances chosen(from);
  std::vector<int> nodes;
  while (static_cast<int>(nodes.size()) < count) {
    Index best = -1;
    double most = 0;
    for (Index i = 0; i < points; ++i) {
      const double amplitude = U.middleRows<3>(3 * i).norm();
      if (amplitude > most && chosen.nearest()[i] >= std::max(least, 1e-300)) best = i, most = amplitude;
    }
    if (best < 0) break;
    nodes.push_back(system.vertex_of(static_cast<int>(best)));
    chosen.add(nodes.back());
    for (int k = 0; k < 3; ++k) {
      const VectorXd row = U.row(3 * best + k).transpose();
      if (row.squaredNorm() > 0) U -= (U * row) * row.transpose() / row.squaredNorm();
    }
  }
  return nodes;
}

Option count_option() { return Option::integer("count", "how many nodes").at_least(0).at_most(1000); }

Option distance_option() {
  return Option::number("distance", "m", "least distance between two nodes; there are fewer where it leaves no room")
      .with_default(0.0)
      .at_least(0);
}

}  // namespace

const std::vector<NodeChooserEntry>& node_choosers() {
  const auto count = [](const Options& o) { return o.integer("count"); };
  static const std::vector<NodeChooserEntry> table = {
      {{"farthest",
        "each as far as can be from supports, from bones and from the nodes before",
        {count_option(), distance_option()}},
       farthest,
       {},
       count},
      {{"modes", "where the slowest vibrations move most", {count_option(), distance_option()}},
       along_modes,
       {},
       count},
      {{"set", "the vertices of a set", {Option::text("set", "its name")}},
       set,
       [](const Options& o) { return std::vector{o.text("set")}; }},
      {{"indices",
        "by number; an empty list leaves the body quasistatic",
        {Option::integers("indices", "vertices, counted from 0").at_least(0)}},
       by_indices},
  };
  return table;
}

}  // namespace brio
