#include "brio/experiment/advise/facts.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/diagnose/damping.hpp"
#include "brio/energy/motion.hpp"
#include "brio/experiment/advise/spectrum.hpp"
#include "brio/integrate/methods/si.hpp"
#include "brio/material/materials.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/scene_laws.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace brio {
namespace {

constexpr int kSlowModes = 12;
constexpr double kCarried = 0.9;       // part of the energy that makes a motion
constexpr double kNoticeable = 1e-12;  // of the fastest speed squared: below, nothing starts to swing

/// The stiffest part over the softest.
double stiffness_ratio(const Scene& scene) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  const auto add = [&](double stiffness) {
    if (stiffness > 0) least = std::min(least, stiffness), most = std::max(most, stiffness);
  };
  for (const MaterialSpec& material : materials_of(scene)) {
    const double modulus = make_item(isotropic_laws(), material.law)->reference_modulus();
    const Pair factor = material.graded ? material.graded->factor : Pair{1, 1};
    add(modulus * factor[0]), add(modulus * factor[1]);
  }
  for (const BodySpec& body : scene.bodies) {
    if (!body.springs) continue;
    for (double k : {body.springs->stiffness, body.springs->shear_stiffness, body.springs->bend_stiffness}) add(k);
    for (const SpringPatch& patch : body.springs->patches) add(patch.factor * body.springs->stiffness);
  }
  return most > 0 ? most / least : 1;
}

bool acts_later(const LoadSpec& spec) {
  const LoadEntry& row = find_row(loads(), spec.load.path, spec.load.name);
  return row.acts_later && row.acts_later(spec.load.options);
}

bool something_comes_later(const Scene& scene, const Simulation& simulation) {
  const bool muscles = std::any_of(simulation.bodies.begin(), simulation.bodies.end(),
                                   [](const Body& body) { return !body.muscles.empty(); });
  return simulation.system->time_dependent() || !scene.cuts.empty() || muscles || !scene.obstacles.empty() ||
         std::any_of(scene.loads.begin(), scene.loads.end(), acts_later);
}

/// A mode that a constant force pulls swings with (u.f)^2 / (2 lambda), one that has a velocity with (u.M v)^2 / 2.
void find_start_parts(const Simulation& simulation, const Spectrum& spectrum, const VectorXd& gradient,
                      SceneFacts& facts) {
  const NodalSystem& system = *simulation.system;
  const State& state = simulation.state;
  VectorXd force;
  system.load(state.t, state.q, state.v, force);
  force -= gradient;
  const VectorXd momentum = system.mass().cwiseProduct(state.v);
  double sum = 0;
  for (size_t i = 0; i < spectrum.slow.size(); ++i) {
    const auto u = spectrum.shapes.col(static_cast<Index>(i));
    const double pulled = u.dot(force) / spectrum.slow[i], moving = u.dot(momentum);
    facts.initial_share.push_back((pulled * pulled + moving * moving) / 2);
    sum += facts.initial_share.back();
  }
  // A thrown body has all its energy in rigid motion, but for rounding.
  const double whole = state.v.dot(momentum) + force.dot(force.cwiseQuotient(system.mass())) * facts.h * facts.h;
  if (!(sum > kNoticeable * whole) || !(sum > 0))
    facts.initial_share.assign(spectrum.slow.size(), 0);
  else
    for (double& part : facts.initial_share) part /= sum;
}

void look_at_vibrations(const Simulation& simulation, SceneFacts& facts) {
  if (simulation.bones) return;  // joints are no springs of the body's own coordinates
  NodalLinearization lin(*simulation.system);
  VectorXd gradient;
  lin.assemble(simulation.state.t, simulation.state.q, Psd::none, gradient);
  if (!gradient.allFinite()) throw Error("the forces on the body are not finite: the shape is out of the law's range");
  const Spectrum spectrum = estimate_spectrum(lin, simulation.system->mass(), facts.free_pieces > 0, kSlowModes);
  facts.slow = spectrum.slow;
  facts.zero_modes = spectrum.zero_modes;
  facts.unstable = spectrum.unstable;
  facts.fastest = spectrum.fastest;
  find_start_parts(simulation, spectrum, gradient, facts);
}

/// What a step of the yardstick costs, and whether it goes well.
void take_steps(const Scene& scene, const Simulation& simulation, SceneFacts& facts) {
  constexpr int kSteps = 4;
  const IntegratorEntry& row = yardstick();
  const Options defaults(row.options, {}, "integrator");
  std::unique_ptr<Integrator> method;
  Simulation bare;
  if (simulation.bones || scene.condensation) {  // their own steps, which go the way of their coordinates
    Scene other = scene;
    other.condensation.reset();
    other.integrator = {row.name, defaults, "integrator", ""};
    bare = build_simulation(other);
    method = std::move(bare.integrator);
  } else {
    method = row.make(defaults);
    method->prepare(*simulation.system);
  }
  const NodalSystem& system = bare.system ? *bare.system : *simulation.system;
  State state = bare.system ? bare.state : simulation.state;
  std::vector<double> seconds;
  for (int i = 0; i < kSteps && !facts.si_fails; ++i) {
    Stopwatch watch;
    const StepReport report = method->step(state, facts.h);
    seconds.push_back(watch.lap());
    facts.projected = facts.projected || report.projections > 0 || report.shifts > 0;
    facts.si_fails = report.status != StepStatus::ok;
  }
  if (seconds.size() > 1) seconds.erase(seconds.begin());  // the first one analyzes the matrix
  facts.step_s = *std::min_element(seconds.begin(), seconds.end());
  VectorXd gradient;
  Stopwatch watch;
  system.potentials_and_gradient(state.t, state.q, gradient);
  facts.force_s = watch.lap();
}

}  // namespace

const IntegratorEntry& yardstick() {
  static const IntegratorEntry row = SemiImplicitEuler::entry();
  return row;
}

std::optional<double> SceneFacts::leading() const {
  const auto most = std::max_element(initial_share.begin(), initial_share.end());
  if (most == initial_share.end() || *most <= 0) return {};
  return slow[most - initial_share.begin()];
}

int SceneFacts::carrying_modes() const {
  double sum = 0;
  for (size_t i = 0; i < initial_share.size(); ++i)
    if ((sum += initial_share[i]) >= kCarried) return static_cast<int>(i) + 1;
  return 0;
}

std::optional<double> SceneFacts::loss_per_period(const std::string& integrator, double h_omega) {
  const double rho = closed_form_amplification(parse_method(integrator), h_omega);
  if (!std::isfinite(rho) || h_omega <= 0) return {};
  return 1 - std::pow(rho, 2 * 2 * std::numbers::pi / h_omega);
}

SceneFacts gather_facts(const Scene& scene, const Simulation& simulation) {
  SceneFacts facts;
  facts.vertices = simulation.vertices();
  facts.elements = simulation.elements();
  facts.element_name = simulation.element_name();
  facts.h = scene.h;
  facts.duration = scene.h * scene.steps;
  facts.integrator = scene.integrator.name;
  facts.free_pieces = static_cast<int>(simulation.system->free_pieces().size());
  for (const BodySpec& body : scene.bodies) facts.spin = std::max(facts.spin, body.initial.angular_velocity.norm());
  for (const Body& body : simulation.bodies) {
    facts.solid = facts.solid || body.mesh.tets() > 0;
    if (simulation.bodies.size() > 1)
      facts.bodies.push_back(fmt::format("{} ({} {})", body.name, body.elements(), body.element_name()));
  }
  facts.bones = simulation.bones != nullptr;
  facts.condensed = scene.condensation.has_value();
  facts.contact = !scene.obstacles.empty();
  facts.friction = std::any_of(scene.obstacles.begin(), scene.obstacles.end(), [](auto& o) { return o.friction > 0; });
  facts.later = something_comes_later(scene, simulation);
  facts.stiffness_ratio = stiffness_ratio(scene);
  facts.damping_beta = scene.damping.beta;
  look_at_vibrations(simulation, facts);
  take_steps(scene, simulation, facts);
  return facts;
}

std::vector<std::string> describe(const SceneFacts& facts) {
  std::vector<std::string> lines;
  const auto add = [&](auto... text) { lines.push_back(fmt::format(text...)); };
  const double to_hertz = 1 / (2 * std::numbers::pi);
  const std::string& method = yardstick().name;
  if (!facts.bodies.empty())
    lines.push_back(fmt::format("{} bodies: {}", facts.bodies.size(), joined(facts.bodies, ", ")));
  if (facts.slow.empty()) {
    add(FMT_STRING("slowest vibration: unknown{}"),
        facts.bones            ? ", for bones turn in joints"
        : facts.zero_modes > 0 ? ", for the initial shape has many directions without stiffness"
                               : "");
  } else {
    const double slowest = facts.h * facts.slow.front();
    add(FMT_STRING("slowest vibration: {:.3g} Hz, h omega = {:.3g}; in one swing {} would lose {:.0f} % of its energy"),
        facts.slow.front() * to_hertz, slowest, method, 100 * SceneFacts::loss_per_period(method, slowest).value_or(0));
  }
  if (const int carrying = facts.carrying_modes(); carrying > 0)
    add(FMT_STRING(
            "{} of the slowest modes start{} with nine tenths of their energy; the strongest swings at {:.3g} Hz"),
        carrying, carrying == 1 ? "s" : "", *facts.leading() * to_hertz);
  if (facts.fastest > 0)
    add(FMT_STRING("fastest vibration: {:.3g} Hz, h omega = {:.3g}; explicit steps must be below {:.2g} s"),
        facts.fastest * to_hertz, facts.h * facts.fastest, 2 / facts.fastest);
  if (facts.unstable > 0) add(FMT_STRING("the initial shape buckles in {} direction(s)"), facts.unstable);
  if (facts.projected) add(FMT_STRING("indefinite stiffness in the first steps of {}"), method);
  if (facts.si_fails) add(FMT_STRING("{} fails in its first steps"), method);
  if (facts.stiffness_ratio > 1) add(FMT_STRING("stiffest over softest part: {:.3g}"), facts.stiffness_ratio);
  if (facts.free_pieces > 0)
    add(FMT_STRING("{} free piece(s){}"), facts.free_pieces,
        facts.spin > 0
            ? fmt::format(", spinning at {:.3g} rad/s, h times that = {:.2g}", facts.spin, facts.spin * facts.h)
            : "");
  if (facts.contact)
    add(FMT_STRING("obstacles{}"), facts.friction ? " with friction" : "");
  else if (facts.later)
    add(FMT_STRING("something comes later: moving supports, loads that change, cuts or muscles"));
  add(FMT_STRING("a step of {} takes {:.3g} ms"), method, 1e3 * facts.step_s);
  return lines;
}

}  // namespace brio
