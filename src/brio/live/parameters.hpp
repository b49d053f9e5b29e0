#pragma once
// What people may change while a scene runs: the numbers and choices of its file that the tables describe, each with
// the place in the file where it stands. A browser names a parameter by its number in this list and nothing else.

#include "brio/core/json.hpp"
#include "brio/scene/scene.hpp"

#include <string>
#include <vector>

namespace brio {

struct Parameter {
  std::string path;   ///< in the scene file: "materials[0].E"
  std::string group;  ///< what it belongs to, for people: "material", "integrator" …
  std::string label;
  std::string unit;
  std::string doc;
  Json value;                        ///< that the scene has now: a number, a truth value or a text
  double least = 0, most = 0;        ///< of a number: the ends of its slider; a number beyond them may be typed
  bool logarithmic = false;          ///< the slider
  bool whole = false;                ///< only whole numbers
  std::vector<std::string> choices;  ///< of a text
  bool of_method = false;            ///< of one run alone, where the others have another method
};

std::vector<Parameter> parameters_of(const Scene& scene);

/// The "key.path=value" that changes it. Throws Error for a value of another kind than the parameter's.
std::string override_text(const Scene& scene, const Parameter& parameter, const Json& value);

Json to_json(const Parameter& parameter);

}  // namespace brio
