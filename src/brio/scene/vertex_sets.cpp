#include "brio/scene/vertex_sets.hpp"

#include "brio/core/error.hpp"

#include <algorithm>
#include <set>

namespace brio {
namespace {

constexpr double kOnThePlane = 1e-6;  // default tolerance relative to the extent: above round-off, below any element

template <class Wanted>
VertexSet vertices_where(const MatrixX3d& X, const Wanted& wanted) {
  VertexSet set;
  for (int i = 0; i < X.rows(); ++i)
    if (wanted(Vec3(X.row(i)))) set.push_back(i);
  return set;
}

VertexSet box(const Options& o, const SelectionSource& from) {
  const Vec3 least = o.vec3("min"), most = o.vec3("max");
  if ((most.array() < least.array()).any()) throw Error("\"max\" must not be below \"min\" in any coordinate");
  return vertices_where(
      from.X, [&](const Vec3& x) { return (x.array() >= least.array()).all() && (x.array() <= most.array()).all(); });
}

VertexSet sphere(const Options& o, const SelectionSource& from) {
  return vertices_where(from.X, [&](const Vec3& x) { return (x - o.vec3("center")).norm() <= o.number("radius"); });
}

double diagonal(const MatrixX3d& X) { return (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm(); }

VertexSet plane(const Options& o, const SelectionSource& from) {
  const double length = o.vec3("normal").norm();
  if (!(length > 0)) throw Error("\"normal\" must not be zero");
  const Vec3 n = o.vec3("normal") / length;
  const double tolerance = o.has("tolerance") ? o.number("tolerance") : kOnThePlane * diagonal(from.X);
  const bool behind = o.text("side") == "behind";
  return vertices_where(from.X, [&](const Vec3& x) {
    const double height = n.dot(x - o.vec3("point"));
    return height <= tolerance && (behind || height >= -tolerance);
  });
}

VertexSet nearest_vertex(const Options& o, const SelectionSource& from) {
  if (from.X.rows() == 0) return {};
  Index best;
  (from.X.rowwise() - o.vec3("point").transpose()).rowwise().squaredNorm().minCoeff(&best);
  return {static_cast<int>(best)};
}

VertexSet indices(const Options& o, const SelectionSource& from) {
  VertexSet set;
  for (double index : o.numbers("indices")) {
    if (index >= static_cast<double>(from.X.rows()))
      throw Error("there is no vertex {}; the mesh has {}, counted from 0", index, from.X.rows());
    set.push_back(static_cast<int>(index));
  }
  return set;
}

VertexSet extreme(const Options& o, const SelectionSource& from) {
  if (from.X.rows() == 0) return {};
  const int axis = o.text("axis")[0] - 'x';
  const double sign = o.text("side") == "max" ? 1 : -1;
  const VectorXd height = sign * from.X.col(axis);
  const double edge = height.maxCoeff() - o.number("tolerance") * (height.maxCoeff() - height.minCoeff());
  return vertices_where(from.X, [&](const Vec3& x) { return sign * x[axis] >= edge; });
}

VertexSet all(const Options&, const SelectionSource& from) {
  return vertices_where(from.X, [](const Vec3&) { return true; });
}

VertexSet group(const Options& o, const SelectionSource& from) {
  const auto found = from.groups.find(o.text("group"));
  if (found != from.groups.end()) return found->second;
  if (from.groups.empty()) throw Error("unknown group \"{}\"; the mesh has no named groups", o.text("group"));
  std::vector<std::string> known;
  for (const auto& [name, vertices] : from.groups) known.push_back(name);
  throw_unknown("group", o.text("group"), known);
}

VertexSet union_of(const Options& o, const SelectionSource& from) {
  VertexSet set;
  const auto& names = o.names("sets");
  for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
    const VertexSet& part = from.chosen(name);
    set.insert(set.end(), part.begin(), part.end());
  }
  return set;
}

std::string extent_hint(const MatrixX3d& X) {
  if (X.rows() == 0) return "the mesh has no vertices";
  const Vec3 least = X.colwise().minCoeff(), most = X.colwise().maxCoeff();
  return fmt::format("the mesh extends from [{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}]", least[0], least[1],
                     least[2], most[0], most[1], most[2]);
}

/// Chooses sets on demand, so that a union may come before its parts.
class Chooser {
 public:
  Chooser(const std::vector<SetSpec>& sets, const MatrixX3d& X, const VertexSets& groups, VertexSets known)
      : sets_(sets),
        source_{X, groups, [this](const std::string& name) -> const VertexSet& { return choose(name); }},
        chosen_(std::move(known)) {}

  const VertexSet& choose(const std::string& name) {
    if (const auto done = chosen_.find(name); done != chosen_.end()) return done->second;
    const auto spec = std::find_if(sets_.begin(), sets_.end(), [&](const SetSpec& s) { return s.name == name; });
    if (spec == sets_.end()) throw Error("there is no set \"{}\"", name);
    if (std::find(open_.begin(), open_.end(), name) != open_.end())
      throw Error("the union \"{}\" contains itself", name);
    open_.push_back(name);
    VertexSet set = select(*spec);
    open_.pop_back();
    return chosen_[name] = std::move(set);
  }

  VertexSets result() && { return std::move(chosen_); }

 private:
  VertexSet select(const SetSpec& spec) {
    VertexSet set;
    try {
      set = find_row(selectors(), "selector", spec.selector.name).select(spec.selector.options, source_);
    } catch (const Error& error) {
      throw Error("{}: {}", spec.selector.path, error.what());
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (set.empty())
      throw Error("{}: the set \"{}\" is empty; {}", spec.selector.path, spec.name, extent_hint(source_.X));
    return set;
  }

  const std::vector<SetSpec>& sets_;
  SelectionSource source_;
  VertexSets chosen_;
  std::vector<std::string> open_;
};

}  // namespace

static std::vector<SelectorEntry> built_in_selectors() {
  return {
      {{"box",
        "vertices in a box along the axes",
        {Option::vec3("min", "m", "lower corner"), Option::vec3("max", "m", "upper corner")}},
       box},
      {{"sphere",
        "vertices in a ball",
        {Option::vec3("center", "m", "center"), Option::number("radius", "m", "radius").above(0)}},
       sphere},
      {{"plane",
        "vertices on a plane, or on it and behind it",
        {Option::vec3("point", "m", "a point of the plane"), Option::vec3("normal", "", "its normal, of any length"),
         Option::choice("side", {"on", "behind"}, "only the plane, or also what lies against the normal")
             .with_default("on"),
         Option::number("tolerance", "m",
                        "largest distance from the plane; a millionth of the mesh's diagonal if left out")
             .at_least(0)
             .optional()}},
       plane},
      {{"nearest", "the vertex nearest to a point", {Option::vec3("point", "m", "the point")}}, nearest_vertex},
      {{"indices", "vertices by number", {Option::integers("indices", "vertex numbers, counted from 0").at_least(0)}},
       indices},
      {{"extreme",
        "the vertices at one end of the mesh",
        {Option::choice("axis", {"x", "y", "z"}, "along which axis"),
         Option::choice("side", {"min", "max"}, "which end"),
         Option::number("tolerance", "", "how far from the end, as a fraction of the extent along the axis")
             .at_least(0)
             .at_most(1)
             .with_default(kOnThePlane)}},
       extreme},
      {{"all", "every vertex", {}}, all},
      {{"group",
        "the vertices of a physical group of the mesh file",
        {Option::text("group", "name of the group in the mesh file")}},
       group},
      {{"union", "the vertices of several sets together", {Option::names("sets", "names of the sets")}},
       union_of,
       [](const Options& o) { return o.names("sets"); }}};
}

Table<SelectorEntry>& selector_table() {
  static Table<SelectorEntry> table("selector", built_in_selectors());
  return table;
}

const std::vector<SelectorEntry>& selectors() { return selector_table().rows(); }

VertexSets select_vertices(const std::vector<SetSpec>& sets, const MatrixX3d& X, const VertexSets& groups,
                           VertexSets known) {
  Chooser chooser(sets, X, groups, std::move(known));
  for (const SetSpec& set : sets) chooser.choose(set.name);
  return std::move(chooser).result();
}

}  // namespace brio
