#include "brio/live/parameters.hpp"

#include "brio/core/error.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/output/scene_tables.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr const char* kGravity = "gravity";

/// Whether the file has an object at the path, so that a key can be set in it.
bool stands_in_file(const Json& scene, const std::string& path) {
  const Json* at = &scene;
  size_t begin = 0;
  while (begin < path.size()) {
    const size_t end = std::min(path.find_first_of(".[]", begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    if (at->is_object() && at->contains(part)) {
      at = &(*at)[part];
    } else if (at->is_array() && part.find_first_not_of("0123456789") == part.npos && std::stoul(part) < at->size()) {
      at = &(*at)[std::stoul(part)];
    } else {
      return false;
    }
  }
  return at->is_object();
}

/// Ends of a slider around a value: the bounds where there are both, three powers of ten to each side of what is
/// positive, and `scale` for what is zero.
void set_slider(Parameter& parameter, double least, double most, double scale) {
  const double value = parameter.value.get<double>();
  if (std::isfinite(least) && std::isfinite(most)) {
    parameter.least = least, parameter.most = most;
  } else if (value > 0 && !parameter.whole) {
    constexpr double kAround = 1000;
    parameter.least = value / kAround, parameter.most = value * kAround;
    parameter.logarithmic = true;
  } else {
    parameter.least = std::isfinite(least) ? least : std::min(-scale, 4 * value);
    parameter.most = std::max(scale, 4 * value);
  }
}

Parameter number(const std::string& path, const std::string& group, const std::string& label, const std::string& unit,
                 const std::string& doc, double value, double scale) {
  Parameter parameter{path, group, label, unit, doc, value, 0, 0, false, false, {}, false};
  set_slider(parameter, 0, std::numeric_limits<double>::infinity(), scale);
  return parameter;
}

Parameter choice(const std::string& path, const std::string& label, const std::string& doc, const std::string& value,
                 const std::vector<std::string>& choices) {
  return {path, "Method", label, "", doc, value, 0, 0, false, false, choices, true};
}

/// The options of a row that are one number, one truth value or one of a few words.
void add_options(std::vector<Parameter>& all, const Item& item, const std::vector<Entry>& rows,
                 const std::string& group, bool of_method) {
  for (const Option& option : find_row(rows, group, item.name).options) {
    if (!item.options.has(option.key)) continue;
    Parameter p{item.path + "." + option.key,
                group,
                option.key,
                option.unit,
                option.doc,
                {},
                0,
                0,
                false,
                false,
                {},
                of_method};
    switch (option.kind) {
      case Option::Kind::number:
      case Option::Kind::integer:
        p.whole = option.kind == Option::Kind::integer;
        p.value = p.whole ? Json(item.options.integer(option.key)) : Json(item.options.number(option.key));
        set_slider(p, option.least, option.most, p.whole ? 20 : 1);
        break;
      case Option::Kind::boolean:
        p.value = item.options.boolean(option.key);
        break;
      case Option::Kind::choice:
        p.value = item.options.text(option.key);
        p.choices = option.choices;
        break;
      default:
        continue;  // lists are edited in the file
    }
    all.push_back(std::move(p));
  }
}

void add_materials(std::vector<Parameter>& all, const Scene& scene, const Json& file) {
  for (const BodySpec& body : scene.bodies) {
    const std::string of = body.group.empty() ? body.name : body.group;
    for (const MaterialSpec& material : body.materials) {
      const std::string& path = material.law.path;
      const auto seen = [&](const Parameter& p) { return p.path.starts_with(path + "."); };
      if (!stands_in_file(file, path) || std::any_of(all.begin(), all.end(), seen)) continue;
      const size_t first = all.size();
      add_options(all, material.law, scene_tables().isotropic_laws, "law", false);
      all.push_back(number(path + ".rho", "", "rho", "kg/m^3", "density", material.rho, 1000));
      for (size_t i = first; i < all.size(); ++i) all[i].group = "Material" + (of.empty() ? "" : " of " + of);
    }
    const std::string springs = body.path.empty() ? "springs" : body.path + ".springs";
    if (!body.springs || !stands_in_file(file, springs)) continue;
    const std::string group = "Springs" + (of.empty() ? "" : " of " + of);
    for (const auto& [key, value] :
         {std::pair("stiffness", body.springs->stiffness), std::pair("shear_stiffness", body.springs->shear_stiffness),
          std::pair("bend_stiffness", body.springs->bend_stiffness)}) {
      const std::string path = springs + "." + key;
      if (std::none_of(all.begin(), all.end(), [&](const Parameter& p) { return p.path == path; }))
        all.push_back(number(path, group, key, "N/m", "of each spring", value, 100));
    }
  }
}

}  // namespace

std::vector<Parameter> parameters_of(const Scene& scene) {
  const Json file = Json::parse(scene.text);
  std::vector<Parameter> all;
  all.push_back(choice("integrator.name", "integrator", "the method that steps the bodies", scene.integrator.name,
                       names_of(integrators())));
  all.push_back(number("integrator.h", "Method", "h", "s", "time step", scene.h, 0.01));
  all.push_back(choice("integrator.engine", "engine", "how linear systems are solved", scene.engine,
                       names_of(scene_tables().engines)));
  const size_t first = all.size();
  add_options(all, scene.integrator, scene_tables().integrators, "integrator", true);
  for (size_t i = first; i < all.size(); ++i) all[i].group = "Method";
  add_materials(all, scene, file);
  all.push_back(number(kGravity, "World", "gravity", "m/s^2", "length of the acceleration", scene.gravity.norm(), 10));
  all.push_back(
      number("damping.alpha", "World", "damping alpha", "1/s", "factor on the mass", scene.damping.alpha, 10));
  all.push_back(
      number("damping.beta", "World", "damping beta", "s", "factor on the stiffness", scene.damping.beta, 0.1));
  for (size_t i = 0; i < scene.obstacles.size(); ++i)
    all.push_back(number(fmt::format("obstacles[{}].friction", i), "World",
                         fmt::format("friction of {} {}", scene.obstacles[i].shape.name, i + 1), "",
                         "Coulomb's coefficient", scene.obstacles[i].friction, 1.5));
  if (scene.contact && stands_in_file(file, "contact"))
    all.push_back(number("contact.friction", "World", "friction between bodies", "", "Coulomb's coefficient",
                         scene.contact->friction, 1.5));
  return all;
}

std::string override_text(const Scene& scene, const Parameter& parameter, const Json& value) {
  const Json& now = parameter.value;
  if (now.is_number() ? !value.is_number() : now.is_boolean() ? !value.is_boolean() : !value.is_string())
    throw Error("{}: expected {}", parameter.path,
                now.is_number()    ? "a number"
                : now.is_boolean() ? "true or false"
                                   : "one of its choices");
  if (!parameter.choices.empty() && std::find(parameter.choices.begin(), parameter.choices.end(),
                                              value.get<std::string>()) == parameter.choices.end())
    throw Error("{}: \"{}\" is none of its choices", parameter.path, value.get<std::string>());
  if (parameter.path != kGravity) return parameter.path + "=" + value.dump();
  const Vec3 down = scene.gravity.isZero() ? Vec3(0, -1, 0) : Vec3(scene.gravity.normalized());
  const Vec3 g = value.get<double>() * down;
  return parameter.path + "=" + Json{g[0], g[1], g[2]}.dump();
}

Json to_json(const Parameter& p) {
  return {{"path", p.path},   {"group", p.group},     {"label", p.label},
          {"unit", p.unit},   {"doc", p.doc},         {"value", p.value},
          {"least", p.least}, {"most", p.most},       {"logarithmic", p.logarithmic},
          {"whole", p.whole}, {"choices", p.choices}, {"own", p.of_method}};
}

}  // namespace brio
