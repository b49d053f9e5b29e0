#include "brio/experiment/advise/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kLargeBody = 3000;         // vertices; from here on a step is mostly factorization
constexpr double kKsiereCut = 1;         // hω below which ksiere carries a motion
constexpr double kSoft = 200;            // hω up to which ere's products are about as dear as a factorization
constexpr double kExplicitMargin = 0.8;  // of the limit; contact and strain make bodies stiffer than they start
constexpr int kFewModes = 8;

struct Rule {
  Json (*integrator)(const SceneFacts&);
  double relative_cost;                   ///< steps of si
  std::string (*why)(const SceneFacts&);  ///< "" where the method is not for this scene
  int (*dynamic_nodes)(const SceneFacts&) = nullptr;
};

double slowest(const SceneFacts& f) { return f.slow.empty() ? 0 : f.h * f.slow.front(); }
double fastest(const SceneFacts& f) { return f.h * f.fastest; }

int siere_modes(const SceneFacts& f) { return std::max(3, f.carrying_modes()); }

std::string si_why(const SceneFacts&) {
  return "the cheapest that stands almost anything; what others are measured by";
}

std::string glim_why(const SceneFacts& f) {
  if (f.bones) return "";
  return "keeps the energy at the price of si, and takes smaller steps where the motion asks for them";
}

std::string ksiere_why(const SceneFacts& f) {
  if (f.slow.empty()) return "carries whatever is slow, and no mode is known beforehand";
  if (slowest(f) > kKsiereCut) return "";
  return fmt::format("the slowest vibration has h omega = {:.2g}, below its cut of 1: it is carried exactly",
                     slowest(f));
}

std::string siere_why(const SceneFacts& f) {
  if (f.slow.empty()) return "";
  if (f.carrying_modes() > 0)
    return fmt::format("{} slow modes start with nine tenths of the energy", f.carrying_modes());
  if (slowest(f) > kKsiereCut)
    return fmt::format("the slowest vibration has h omega = {:.2g}: too fast for ksiere, not for modes", slowest(f));
  return "";
}

std::string ere_why(const SceneFacts& f) {
  if (f.fastest == 0 || fastest(f) > kSoft) return "";
  return fmt::format("soft: the fastest vibration has h omega = {:.3g}, so that an exponential of all of it is cheap",
                     fastest(f));
}

std::string symplectic_why(const SceneFacts& f) {
  if (f.fastest == 0 || fastest(f) > kExplicitMargin * 2) return "";
  return fmt::format("the fastest vibration has h omega = {:.2g}, below 2: no matrix is needed", fastest(f));
}

std::string stabilized_why(const SceneFacts& f) {
  if (f.bones || f.vertices > kLargeBody) return "";
  if (f.spin > 0) return "a free body that spins: its energy is held at any step";
  return "holds the energy at any step and stiffness, for the price of Newton's method";
}

std::string stabilized_quick_why(const SceneFacts& f) {
  if (f.bones || f.vertices <= kLargeBody) return "";
  return fmt::format("{} vertices: holds the energy with one constant matrix", f.vertices);
}

std::string quasi_newton_why(const SceneFacts& f) {
  if (f.bones || f.vertices <= kLargeBody) return "";
  return fmt::format("{} vertices: one constant matrix in place of a factorization in every step", f.vertices);
}

std::string backward_why(const SceneFacts& f) {
  if (f.contact) return "contact: it is solved for in every step, not linearized";
  if (f.unstable > 0 || f.projected || f.si_fails) return "indefinite stiffness: one linearization may not be enough";
  return "";
}

std::string midpoint_why(const SceneFacts& f) {
  if (f.vertices > kLargeBody) return "";
  return "second order and without damping, where its solver gets through";
}

std::string condensed_why(const SceneFacts& f) {
  if (!f.solid || f.condensed || f.vertices <= kLargeBody || f.bones) return "";
  const int modes = f.carrying_modes();
  if (modes == 0 || modes > kFewModes) return "";
  return fmt::format("{} vertices whose motion {} slow mode{} carr{}: a few dynamic nodes may do", f.vertices, modes,
                     modes == 1 ? "" : "s", modes == 1 ? "ies" : "y");
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      {[](auto&) {
         return Json{{"name", "si"}};
       },
       1, si_why},
      {[](auto&) {
         return Json{{"name", "glim"}};
       },
       1.2, glim_why},
      {[](auto&) {
         return Json{{"name", "ksiere"}};
       },
       1.4, ksiere_why},
      {[](auto& f) {
         return Json{{"name", "siere"}, {"modes", siere_modes(f)}};
       },
       1.5, siere_why},
      {[](auto&) {
         return Json{{"name", "ere"}};
       },
       2, ere_why},
      {[](auto&) {
         return Json{{"name", "be"}, {"solver", "quasi-newton"}};
       },
       1, quasi_newton_why},
      {[](auto&) {
         return Json{{"name", "stabilized"}, {"solver", "quasi-newton"}};
       },
       2, stabilized_quick_why},
      {[](auto&) {
         return Json{{"name", "si"}, {"beta", 0.6}};
       },
       1.3, condensed_why, [](const SceneFacts& f) { return std::max(4, f.carrying_modes()); }},
      {[](auto&) {
         return Json{{"name", "stabilized"}};
       },
       6, stabilized_why},
      {[](auto&) {
         return Json{{"name", "be"}};
       },
       4, backward_why},
      {[](auto&) {
         return Json{{"name", "se"}};
       },
       0.2, symplectic_why},
      {[](auto&) {
         return Json{{"name", "im"}};
       },
       4, midpoint_why},
  };
  return table;
}

std::string label_of(const Json& integrator, int nodes) {
  std::string label = integrator["name"].get<std::string>();
  for (const auto& [key, value] : integrator.items())
    if (key != "name") label += fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  return nodes > 0 ? fmt::format("{}, {} dynamic nodes", label, nodes) : label;
}

}  // namespace

std::vector<Candidate> candidates_for(const SceneFacts& facts, Json own) {
  own.erase("h");
  std::vector<Candidate> found;
  found.push_back({fmt::format("{}, {}as it is", facts.integrator, facts.condensed ? "condensed, " : ""),
                   true,
                   {},
                   0,
                   1,
                   "what the scene has now"});
  for (const Rule& rule : rules()) {
    const Json integrator = rule.integrator(facts);
    if (found.front().relative_cost == 1 && integrator["name"] == facts.integrator)
      found.front().relative_cost = rule.relative_cost;
    const std::string why = rule.why(facts);
    if (why.empty() || (integrator == own && !facts.condensed)) continue;
    const int nodes = rule.dynamic_nodes ? rule.dynamic_nodes(facts) : 0;
    std::string label = label_of(integrator, nodes);
    if (facts.condensed) label += ", whole body";
    found.push_back({label, false, integrator, nodes, rule.relative_cost, why});
  }
  return found;
}

Json with_candidate(Json scene, const Candidate& candidate, double h) {
  const Json as_written = scene.at("integrator").at("h");
  const double before = as_written.get<double>();
  if (!candidate.own) {
    scene["integrator"] = candidate.integrator;
    scene.erase("condensation");
    if (candidate.dynamic_nodes > 0)
      scene["condensation"]["nodes"] = {{"choose", "farthest"}, {"count", candidate.dynamic_nodes}};
  }
  scene["integrator"]["h"] = as_written;
  if (h == before) return scene;
  scene["integrator"]["h"] = h;
  const auto in_new_steps = [&](const Json& steps) {
    return std::max(1L, std::lround(steps.get<double>() * before / h));
  };
  if (scene.contains("steps")) scene["steps"] = in_new_steps(scene["steps"]);
  if (scene.contains("output") && scene["output"].contains("every"))
    scene["output"]["every"] = in_new_steps(scene["output"]["every"]);
  return scene;
}

}  // namespace brio
