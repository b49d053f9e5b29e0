#pragma once
// Values given on the command line in place of those in the file: "materials[0].E=1e6".

#include "brio/core/json.hpp"
#include "brio/scene/problems.hpp"
#include "brio/scene/tables.hpp"

#include <string>
#include <vector>

namespace brio {

/// "newmark:gamma=0.6" as {"integrator.name=newmark", "integrator.gamma=0.6"}. Throws Error as parse_method_text does.
std::vector<std::string> integrator_overrides(const std::string& method);

/// Writes each "key.path=value" into the scene; the value is JSON where it parses as such, and a string otherwise.
/// Objects on the way are made where they are missing. Whether the keys and values make sense is left to the reader.
/// Two conveniences: giving one of "duration" and "steps" takes the other away, and another integrator keeps only those
/// of the file's options that it has too and that mean the same there.
void apply_overrides(Json& scene, const std::vector<std::string>& overrides, const SceneTables& tables,
                     Problems& problems);

}  // namespace brio
