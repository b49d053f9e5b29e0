#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/experiment/converge/mesh_convergence.hpp"
#include "brio/output/curves_page.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include <cmath>
#include <memory>

namespace brio {
namespace {

struct ConvergeMeshArguments {
  SceneArguments scene;
  std::string quantity = "tip", folder = "out";
  int levels = 3, vertices = 30000, threads = 0;
};

const char* order_name(int order) { return order == 2 ? "quadratic" : "linear"; }

CurvesPage mesh_page(const Scene& scene, const MeshQuantity& quantity, const std::vector<MeshCurve>& curves) {
  CurvesPage page;
  page.title = fmt::format("What a finer mesh changes: {}", scene.name);
  page.text = fmt::format("The {}: {}. Each tetrahedron of the scene's mesh is divided into eight, again and again.",
                          quantity.name, quantity.summary);
  page.footer = "Dashes of one value are where the last three meshes lead.";
  CurveChart value{"Value against vertices", "", "vertices", quantity.unit, "x", {}, {}};
  CurveChart cost{"Value against time", "", "time [s]", quantity.unit, "x", {}, {}};
  for (const MeshCurve& curve : curves) {
    Curve by_size{order_name(curve.order), {}, {}}, by_time{order_name(curve.order), {}, {}},
        limit{fmt::format("{}, extrapolated", order_name(curve.order)), {}, {}};
    for (const MeshLevel& level : curve.levels) {
      by_size.x.push_back(level.vertices);
      by_time.x.push_back(level.seconds);
      by_size.y.push_back(level.value);
      by_time.y.push_back(level.value);
      if (!curve.limit) continue;
      limit.x.push_back(level.vertices);
      limit.y.push_back(*curve.limit);
    }
    value.curves.push_back(std::move(by_size));
    cost.curves.push_back(std::move(by_time));
    if (curve.limit) value.curves.push_back(std::move(limit));
  }
  page.charts = {value, cost};
  return page;
}

int converge_mesh(const ConvergeMeshArguments& arguments) {
  set_thread_count(arguments.threads);
  const Scene scene = arguments.scene.load();
  const MeshQuantity& quantity = find_row(mesh_quantities(), "quantity", arguments.quantity);
  fmt::print("{}: {} [{}], {}\n", scene.name, quantity.name, quantity.unit, quantity.summary);
  fmt::print("{:<10} {:>7} {:>10} {:>10} {:>14} {:>10}\n", "elements", "refined", "vertices", "number", "value",
             "seconds");
  const auto show = [](const MeshCurve& curve) {
    const MeshLevel& level = curve.levels.back();
    fmt::print("{:<10} {:>7} {:>10} {:>10} {:>14.6g} {:>10.3f}\n", order_name(curve.order), level.refine,
               level.vertices, level.elements, level.value, level.seconds);
    std::fflush(stdout);
  };
  std::vector<MeshCurve> curves;
  try {
    curves = study_meshes(scene, quantity, arguments.levels, arguments.vertices, show);
  } catch (const Error& error) {
    const std::string text = error.what();
    if (text.starts_with(arguments.scene.file)) throw;
    throw Error("{}: {}", arguments.scene.file, text);
  }
  for (const MeshCurve& curve : curves) {
    if (curve.limit) {
      const double off = curve.levels.back().value / *curve.limit - 1;
      fmt::print("{} elements tend to {:.6g} {} (error falls with size^{:.2g}); the finest is {:.2g} % off\n",
                 order_name(curve.order), *curve.limit, quantity.unit, *curve.rate, 100 * std::fabs(off));
    } else if (curve.rate) {
      fmt::print("{} elements: these meshes are too coarse to tell where they lead (the error falls with size^{:.2g}, "
                 "and more is left than the last one brought); raise --levels or --vertices\n",
                 order_name(curve.order), *curve.rate);
    } else {
      fmt::print("{} elements: {}\n", order_name(curve.order),
                 curve.levels.size() < 3 ? "three meshes are needed to tell where they lead; raise --levels or --vertices"
                                         : "the last three meshes do not settle");
    }
  }
  write_curves(arguments.folder, "converge-mesh", mesh_page(scene, quantity, curves));
  fmt::print("open {}/converge-mesh.html in a browser; the numbers are in converge-mesh.csv and .json beside it\n",
             arguments.folder);
  return kOk;
}

}  // namespace

void add_converge_mesh(CommandLine& app, Command& command) {
  CommandLine* study = app.add_subcommand(
      "converge-mesh", "draw what finer meshes, of linear and of quadratic elements, make of a scene's body");
  auto arguments = std::make_shared<ConvergeMeshArguments>();
  arguments->scene.add_to(*study);
  study->add_option("--quantity", arguments->quantity, "tip, energy, frequency or stress")
      ->type_name("NAME")
      ->capture_default_str();
  study->add_option("--levels", arguments->levels, "how many meshes of each order")
      ->type_name("N")
      ->range(1, 6)
      ->capture_default_str();
  study->add_option("--vertices", arguments->vertices, "finer meshes than this are left out")
      ->type_name("N")
      ->range(1, 10000000)
      ->capture_default_str();
  study->add_option("-o,--output", arguments->folder, "folder for the results")->type_name("DIR")->capture_default_str();
  add_threads_option(*study, arguments->threads);
  study->callback([arguments, &command] { command = [arguments] { return converge_mesh(*arguments); }; });
}

}  // namespace brio
