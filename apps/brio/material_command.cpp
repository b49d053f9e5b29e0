#include "brio/core/error.hpp"
#include "brio/material/stretch_curves.hpp"
#include "brio/output/curves_page.hpp"
#include "brio/scene/scene_laws.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

struct MaterialArguments {
  SceneArguments scene;
  std::string folder = "out";
  double least = 0.3, most = 2.5;
};

CurvesPage material_page(const Scene& scene, const std::vector<NamedLaw>& laws, const MaterialArguments& arguments) {
  constexpr int kPoints = 221;
  struct Test {
    Sides sides;
    const char* title;
  };
  CurvesPage page;
  page.title = "Materials: " + scene.name;
  page.text = "A cube of each material is stretched along one direction, by a factor that is 1 at rest.";
  page.footer =
      "Stress is force over the area at rest (first Piola-Kirchhoff). The straight line with the sides held is the "
      "constant stiffness that the quasi-Newton solvers use ([QN] eq. 11), fitted on stretches 0.5 to 1.5.";
  for (const Test& test : {Test{Sides::held, "sides held"}, Test{Sides::free, "sides free"},
                           Test{Sides::together, "all sides stretched alike"}}) {
    CurveChart stress{fmt::format("Stress, {}", test.title), "", "stretch", "Pa", "", {}, {}};
    CurveChart energy{fmt::format("Energy, {}", test.title), "", "stretch", "J/m^3", "", {}, {}};
    for (const NamedLaw& law : laws) {
      Curve p{law.name, {}, {}}, psi{law.name, {}, {}}, line{law.name + ", fitted line", {}, {}};
      const double slope = law.material->projective_weight(Vec3::UnitX(), Vec3::UnitX(), law.fiber);
      for (int i = 0; i < kPoints; ++i) {
        const double s = arguments.least + (arguments.most - arguments.least) * i / (kPoints - 1);
        const StretchPoint point = stretched(*law.material, law.fiber, s, test.sides);
        p.x.push_back(s), p.y.push_back(point.stress);
        psi.x.push_back(s), psi.y.push_back(point.energy);
        if (s >= 0.5 && s <= 1.5) line.x.push_back(s), line.y.push_back(slope * (s - 1));
      }
      stress.curves.push_back(std::move(p));
      if (test.sides == Sides::held) stress.curves.push_back(std::move(line));
      energy.curves.push_back(std::move(psi));
    }
    page.charts.push_back(std::move(stress));
    page.charts.push_back(std::move(energy));
  }
  return page;
}

int material(const MaterialArguments& arguments) {
  const Scene scene = arguments.scene.load();
  if (materials_of(scene).empty())
    throw Error("{}: spring nets and bones have no materials to draw", arguments.scene.file);
  if (!(arguments.least < arguments.most)) throw Error("--from must be below --to");
  const std::vector<NamedLaw> laws = laws_of(scene);
  write_curves(arguments.folder, "material", material_page(scene, laws, arguments));
  for (const NamedLaw& law : laws)
    fmt::print("{}: reference modulus {:.4g} Pa, fitted stiffness {:.4g} Pa\n", law.name,
               law.material->reference_modulus(),
               law.material->projective_weight(Vec3::UnitX(), Vec3::UnitX(), law.fiber));
  fmt::print("open {}/material.html in a browser; the numbers are in material.csv beside it\n", arguments.folder);
  return kOk;
}

}  // namespace

void add_material(CommandLine& app, Command& command) {
  CommandLine* material_app = app.add_subcommand("material", "draw stress and energy of a scene's materials");
  auto arguments = std::make_shared<MaterialArguments>();
  arguments->scene.add_to(*material_app);
  material_app->add_option("--from", arguments->least, "smallest stretch")
      ->type_name("S")
      ->range(0.01, 100.0)
      ->capture_default_str();
  material_app->add_option("--to", arguments->most, "largest stretch")
      ->type_name("S")
      ->range(0.01, 100.0)
      ->capture_default_str();
  material_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  material_app->callback([arguments, &command] { command = [arguments] { return material(*arguments); }; });
}

}  // namespace brio
