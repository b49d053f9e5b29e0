#pragma once
// Small tables that stand for the real ones, so that what the reader says can be tested word for word.

#include "brio/core/error.hpp"
#include "brio/scene/scene.hpp"
#include "brio/scene/vertex_sets.hpp"

#include <string>
#include <vector>

namespace brio::testing {

inline const SceneTables& test_tables() {
  static const SceneTables tables = [] {
    SceneTables t;
    t.generators = {{"box",
                     "a box",
                     {Option::vec3("size", "m", "edge lengths").above(0),
                      Option::numbers("cells", "", "cells along x, y, z").at_least(1),
                      Option::choice("split", {"five", "six"}, "tets a cell").with_default("six")}},
                    {"ball", "a ball", {Option::number("radius", "m", "radius").above(0)}}};
    t.spring_generators = {{"cloth", "a cloth", {Option::number("width", "m", "edge length").above(0)}}};
    t.isotropic_laws = {{"neo-hookean",
                         "rubber",
                         {Option::number("E", "Pa", "Young's modulus").above(0),
                          Option::number("nu", "", "Poisson's ratio").above(-1).below(0.5)}},
                        {"curve", "from points", {Option::pairs("points", "Pa", "stretch and stress")}}};
    t.fiber_laws = {{"muscle", "pulls", {Option::number("kappa", "Pa", "stiffness").at_least(0)}}};
    t.motions = {{"fixed", "stays", {}},
                 {"translate", "moves", {Option::vec3("velocity", "m/s", "velocity")}},
                 {"keyframes", "in steps", {Option::vec3s("translations", "m", "displacements")}}};
    t.obstacles = {{"sphere", "a ball", {Option::number("radius", "m", "radius").above(0)}}};
    t.loads = {{"pull", "a pull", {Option::vec3("force", "N", "total force")}},
               {"gust", "a gust", {Option::boolean("steady", "no change in time").with_default(false)}}};
    t.energies = {{"well", "a well", {Option::number("frequency", "Hz", "how fast").above(0)}}};
    t.cuts = {{"plane", "flat", {Option::vec3("normal", "", "its normal")}}};
    t.integrators = {
        {"si", "linearly implicit", {Option::number("beta", "", "factor on K").with_default(1.0)}},
        {"be", "backward Euler", {Option::integer("iterations", "at most").at_least(1).with_default(20.0)}}};
    t.selectors = entries_of(selectors());
    t.node_choosers = {{"first", "the first ones", {Option::integer("count", "how many").at_least(0)}}};
    t.frame_formats = {{"vtu", "ParaView", {}}, {"obj", "surface", {}}};
    return t;
  }();
  return tables;
}

/// A scene with nothing but what must be there.
inline const char* const kSmallestScene = R"({
  "mesh": {"generate": "ball", "radius": 1},
  "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
  "integrator": {"name": "si", "h": 0.01},
  "steps": 10
})";

/// A scene in which every key of the format is given, with another value than the default.
inline const char* const kFullestScene = R"({
  "$schema": "../schemas/scene.schema.json",
  "name": "everything", "description": "all at once",  // comments are welcome
  "mesh": {"generate": "box", "size": [1, 2, 3], "cells": [4, 5, 6], "split": "five",
           "transform": {"scale": 2, "rotate_axis": [1, 0, 0], "rotate_degrees": 90, "translate": [0, 1, 0]}},
  "materials": [
    {"region": "all", "law": "neo-hookean", "E": 5e5, "nu": 0.45, "rho": 1000},
    {"region": [1, 2], "law": "curve", "points": [[1, 0], [2, 1e5]], "rho": 900,
     "fiber": {"law": "muscle", "kappa": 1e4, "direction": [0, 0, 2]}},
    {"region": 3, "law": "neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1100, "fiber": {"law": "muscle", "kappa": 0}},
    {"region": "core", "law": "neo-hookean", "E": 1e7, "nu": 0.3, "rho": 1100}],
  "sets": {
    "left": {"select": "extreme", "axis": "x", "side": "min", "tolerance": 0.1},
    "right": {"select": "indices", "indices": [0, 1, 2]},
    "ends": {"select": "union", "sets": ["left", "right"]}},
  "constraints": [{"set": "left"}, {"set": "right", "motion": "translate", "velocity": [0, 0, 1]}],
  "attachments": [{"set": "ends", "stiffness": 10, "motion": "keyframes", "translations": [[0, 0, 0], [1, 0, 0]]}],
  "gravity": [0, 0, -1.6],
  "obstacles": [{"shape": "sphere", "radius": 0.5, "stiffness": 1e4, "motion": {"name": "translate", "velocity": [1, 0, 0]}},
                {"shape": "sphere", "radius": 0.25, "stiffness": 1e3}],
  "loads": [{"load": "pull", "force": [1, 2, 3], "set": "right"}, {"load": "gust", "steady": true}],
  "energies": [{"kind": "well", "frequency": 2, "set": "left"}, {"kind": "well", "frequency": 3}],
  "cuts": [{"time": 0.2, "kind": "plane", "normal": [0, 0, 1], "through": "faces", "frame": "current", "snap": 0.2}],
  "damping": {"alpha": 0.01, "beta": 0.02, "stiffness": "current"},
  "initial": {"velocity": [1, 0, 0], "angular_velocity": [0, 2, 0], "stretch": [1, 1.5, 1], "twist_degrees": 45,
              "twist_axis": "z", "jitter": 1e-3, "seed": 7},
  "condensation": {"nodes": {"choose": "first", "count": 4}, "gamma": 0.25, "quasistatic": "newton", "initial": false,
                   "adaptive": {"threshold": 0.1, "window": 5, "hysteresis": 0.5}},
  "integrator": {"name": "be", "h": 0.005, "iterations": 5},
  "duration": 0.5,
  "output": {"every": 3, "frames": ["obj", "vtu"], "probe": "ends"}
})";

inline const char* const kClothScene = R"({
  "mesh": {"springs": "cloth", "width": 1},
  "springs": {"stiffness": 100, "bend_stiffness": 1, "total_mass": 0.2},
  "sets": {"corner": {"select": "nearest", "point": [0, 0, 0]}},
  "constraints": [{"set": "corner"}],
  "integrator": {"name": "si", "h": 0.01, "beta": 0.5},
  "steps": 100,
  "output": {"frames": [], "probe": 12}
})";

inline Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scene(text, "scene.json", test_tables(), overrides);
}

/// What the reader says about the text, or "" when it takes it.
inline std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace brio::testing
