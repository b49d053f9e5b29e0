#pragma once
// Analyzes a scene, tries the methods that may suit it, and recommends one with its step (docs/advise.md).

#include "brio/experiment/advise/trial_plan.hpp"
#include "brio/experiment/advise/verdict.hpp"
#include "brio/experiment/compare/compare.hpp"
#include "brio/output/progress.hpp"

namespace brio {

/// A scene file with the values of the command line in it, as JSON.
struct SceneText {
  std::filesystem::path file;
  std::string text;                    ///< of the file
  std::vector<std::string> overrides;  ///< "key.path=value"

  Scene scene(const SceneTables& tables) const { return parse_scene(text, file, tables, overrides); }
  /// With the overrides in it; call scene() first, which refuses what is wrong.
  Json json(const SceneTables& tables) const;
};

/// Throws Error when the file cannot be read.
SceneText read_scene_text(const std::filesystem::path& file, const std::vector<std::string>& overrides);

struct Advice {
  Scene scene;
  Json own_integrator;  ///< "integrator" of the scene
  SceneFacts facts;
  std::vector<Candidate> candidates;
  TrialPlan plan;
  std::vector<Trial> trials;       ///< in the order in which they were run
  std::vector<size_t> tried;       ///< the candidate of each
  double swings = 0;               ///< of the body during the trials; 0 where unknown
  std::string reference;           ///< "rk4, h / 8", or "" where there was none that got through
  Verdict verdict;                 ///< with the other steps of the chosen method judged as well
  std::string step_reason;         ///< "" where no other step was tried
  std::vector<std::string> notes;  ///< limits of the trials, for the user
  bool interrupted = false;

  /// Whether the trials were too short for the numbers to mean much.
  bool weak() const { return plan.steps < 20 || (swings > 0 && swings < 0.25); }
  const Candidate* chosen() const { return verdict.chosen ? &candidates[tried[*verdict.chosen]] : nullptr; }
  double h() const { return verdict.chosen ? trials[*verdict.chosen].h : scene.h; }  ///< recommended [s]
};

struct AdviceListener : ProgressListener {
  std::function<void(const Scene&, const SceneFacts&)> on_facts;
};

/// At most about `seconds` in all. The trials are left in `folder` as a comparison (compare.html and the rest). Throws
/// Error when the scene is refused.
Advice advise(const SceneText& text, const SceneTables& tables, double seconds, const std::filesystem::path& folder,
              const AdviceListener& listener);

}  // namespace brio
