#include "brio/experiment/advise/advice_output.hpp"

#include "brio/output/progress.hpp"

#include <fmt/format.h>

#include <numbers>

namespace brio {
namespace {

std::string signed_percent(const std::optional<double>& share) {
  return share ? fmt::format("{:+.1f} %", 100 * *share) : std::string("-");
}

std::string plain_percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : std::string("-");
}

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

/// The "integrator" of the scene as recommended, with its step.
Json recommended_integrator(const Advice& advice) {
  const Candidate& chosen = *advice.chosen();
  Json json(chosen.own ? advice.own_integrator : chosen.integrator);
  json["h"] = advice.h();
  return json;
}

Json facts_json(const SceneFacts& facts) {
  std::vector<double> hertz;
  for (double omega : facts.slow) hertz.push_back(omega / (2 * std::numbers::pi));
  const auto slowest = facts.slow.empty() ? std::optional<double>() : facts.h * facts.slow.front();
  return {{"vertices", facts.vertices},
          {"elements", facts.elements},
          {"h", facts.h},
          {"duration", facts.duration},
          {"integrator", facts.integrator},
          {"free_pieces", facts.free_pieces},
          {"spin", facts.spin},
          {"bones", facts.bones},
          {"condensed", facts.condensed},
          {"contact", facts.contact},
          {"friction", facts.friction},
          {"later_events", facts.later},
          {"stiffness_ratio", facts.stiffness_ratio},
          {"slow_frequencies", hertz},
          {"start_energy_parts", facts.initial_share},
          {"directions_without_stiffness", facts.zero_modes},
          {"unstable_directions", facts.unstable},
          {"slowest_h_omega", number_or_null(slowest)},
          {"fastest_h_omega", facts.fastest > 0 ? Json(facts.h * facts.fastest) : Json()},
          {"si_loses_in_a_swing",
           number_or_null(slowest ? SceneFacts::loss_per_period(yardstick().name, *slowest) : std::nullopt)},
          {"si_step_ms", 1e3 * facts.step_s},
          {"si_meets_indefinite_stiffness", facts.projected},
          {"si_fails", facts.si_fails}};
}

/// With "objections" still on the line, so that each trial can be seen to pass or to fail.
std::string trial_line(const Trial& trial, const std::string& objection, bool chosen, size_t width) {
  return fmt::format("{} {:{}}  {:>9}  {:>9}  {:>8}  {}\n", chosen ? "*" : " ", trial.label, width,
                     trial.cost > 0 ? readable_seconds(trial.cost) : "-", signed_percent(trial.drift),
                     plain_percent(trial.error),
                     objection.empty() ? "passes" : objection.substr(0, objection.find(". ")));
}

}  // namespace

std::string advice_text(const Advice& advice) {
  const double duration = advice.plan.steps * advice.scene.h;
  std::string text = fmt::format("Tried over {:.3g} s", duration);
  if (advice.swings > 0) text += fmt::format(" ({:.2g} swings)", advice.swings);
  text += advice.reference.empty() ? "; no reference\n" : fmt::format("; errors against {}\n", advice.reference);
  size_t width = 6;
  for (const Trial& trial : advice.trials) width = std::max(width, trial.label.size());
  text += fmt::format("  {:{}}  {:>9}  {:>9}  {:>8}\n", "method", width, "cost", "energy", "error");
  for (size_t i = 0; i < advice.trials.size(); ++i)
    text += trial_line(advice.trials[i], advice.verdict.objections[i], advice.verdict.chosen == i, width);
  text += "  (cost: time per simulated second; energy: made or lost by the method, of what was in play)\n\n";

  const Candidate* chosen = advice.chosen();
  if (!chosen) return text + "No advice: none of the trials got through. Try a shorter step, or more --seconds.\n";
  text += fmt::format("Advice{}: {}, h = {:g} s{}\n", advice.weak() ? " (weak, for the trials are too short)" : "",
                      chosen->label, advice.h(), chosen->own && advice.h() == advice.scene.h ? " (no change)" : "");
  if (!chosen->own) text += fmt::format("  because {}\n", chosen->why);
  text += fmt::format("  method: {}\n", advice.verdict.reason);
  if (!advice.step_reason.empty()) text += fmt::format("  step: {}\n", advice.step_reason);
  for (const std::string& note : advice.notes) text += fmt::format("  note: {}\n", note);
  return text + "Rule: " + rule_text() + "\n";
}

Json to_json(const Advice& advice) {
  Json json = {{"scene", advice.scene.name},
               {"file", advice.scene.file.string()},
               {"facts", facts_json(advice.facts)},
               {"trial_steps", advice.plan.steps},
               {"trial_duration", advice.plan.steps * advice.scene.h},
               {"swings", advice.swings > 0 ? Json(advice.swings) : Json()},
               {"reference", advice.reference.empty() ? Json() : Json(advice.reference)},
               {"trials", Json::array()},
               {"rule", rule_text()},
               {"advice", nullptr},
               {"notes", advice.notes},
               {"interrupted", advice.interrupted}};
  for (size_t i = 0; i < advice.trials.size(); ++i) {
    const Trial& trial = advice.trials[i];
    json["trials"].push_back({{"label", trial.label},
                              {"why", advice.candidates[advice.tried[i]].why},
                              {"h", trial.h},
                              {"finished", trial.finished},
                              {"steps", trial.steps},
                              {"cost", trial.cost},
                              {"energy_drift", number_or_null(trial.drift)},
                              {"energy_gain", trial.gain},
                              {"error", number_or_null(trial.error)},
                              {"indefinite_stiffness", trial.projected},
                              {"objection", advice.verdict.objections[i]}});
  }
  if (const Candidate* chosen = advice.chosen())
    json["advice"] = {{"label", chosen->label},
                      {"own", chosen->own},
                      {"weak", advice.weak()},
                      {"integrator", recommended_integrator(advice)},
                      {"dynamic_nodes", chosen->dynamic_nodes},
                      {"h", advice.h()},
                      {"why", chosen->why},
                      {"method_reason", advice.verdict.reason},
                      {"step_reason", advice.step_reason}};
  return json;
}

}  // namespace brio
