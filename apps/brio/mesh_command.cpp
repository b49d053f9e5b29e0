#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/output/mesh_output.hpp"
#include "brio/output/progress.hpp"
#include "brio/output/save_mesh.hpp"
#include "brio/scene/named_shapes.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include <chrono>
#include <memory>
#include <optional>
#include <unistd.h>

namespace brio {
namespace {

constexpr int kManyVertices = 300000;     // worth a word before the work begins
constexpr double kBytesPerVertex = 1700;  // at the peak, measured with two million

struct MeshArguments {
  std::string input;
  std::optional<std::string> output, page;
  std::optional<double> size;
  std::optional<int> vertices;
  bool graded = false;
  std::string keep = "sound";
  int threads = 0;
};

StuffingTarget target_for(const MeshArguments& arguments, const ShapeFile& shape) {
  const Keep keep = keep_of(arguments.keep);
  if (arguments.size) return {.size = *arguments.size, .graded = arguments.graded, .keep = keep};
  return {.vertices = arguments.vertices.value_or(shape.vertices), .graded = arguments.graded, .keep = keep};
}

int make_mesh(const MeshArguments& arguments) {
  set_thread_count(arguments.threads);
  const ShapeFile shape = find_solid(arguments.input);
  const std::filesystem::path output = arguments.output.value_or(shape.name + ".msh");
  const MeshFormat& format = find_mesh_format(output);  // before the work is done
  if (!format.tets) throw Error("{}: {} files hold no tetrahedra; use .msh, for example", output.string(), format.name);

  const StuffingTarget target = target_for(arguments, shape);
  const bool watched = isatty(STDERR_FILENO) || target.vertices > kManyVertices;
  if (target.vertices > kManyVertices) {
    fmt::print(stderr, "{} vertices: about {} million tetrahedra, and {:.1f} GB of memory with the file\n",
               target.vertices, target.vertices / 190000, kBytesPerVertex * target.vertices / 1e9);
  }
  const auto started = std::chrono::steady_clock::now();
  const LoadedMesh mesh = fill(shape, target, [&](const std::string& text) {
    if (watched) fmt::print(stderr, "{}\n", text);
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  for (const std::string& message : mesh.messages) log_warning(message);
  const MeshInspection inspection = inspect(mesh);
  fmt::print("{}", describe(mesh, inspection, shape.name));
  const SavedMesh saved = save_mesh(output, mesh);
  for (const std::string& message : saved.messages) log_warning(message);
  for (const std::filesystem::path& file : saved.files)
    fmt::print("wrote {}, made in {}\n", file.string(), readable_seconds(seconds));
  if (arguments.page) {
    write_mesh_page(*arguments.page, shape.name, mesh, inspection, seconds);
    fmt::print("open {}/report.html in a browser to look at it\n", *arguments.page);
  }
  return kOk;
}

}  // namespace

void add_mesh(CommandLine& app, Command& command) {
  CommandLine* mesh_app = app.add_subcommand("mesh", "fill a shape or a closed surface with well-shaped tetrahedra");
  auto arguments = std::make_shared<MeshArguments>();
  mesh_app
      ->add_option("shape", arguments->input,
                   "a closed surface (.obj, .stl, .ply, .off …), a shape file (.json), or the name of a shape that "
                   "comes with brio; see `brio list shapes`")
      ->type_name("SURFACE|SHAPE.json|NAME")
      ->required();
  mesh_app->add_option("-o,--output", arguments->output, "the mesh file; NAME.msh if left out")->type_name("FILE");
  Argument* size = mesh_app->add_option("--size", arguments->size, "about the length of the tetrahedra's edges [m]")
                       ->type_name("METERS");
  mesh_app->add_option("--vertices", arguments->vertices, "about how many vertices, in place of a size")
      ->type_name("N")
      ->range(20, 10000000)
      ->excludes(size);
  mesh_app->add_flag("--graded", arguments->graded, "larger tetrahedra deep inside, the same at the surface");
  mesh_app
      ->add_option("--keep", arguments->keep,
                   "where limbs come off at so few vertices: refuse (sound), keep the largest part, or all")
      ->type_name("sound|largest|all")
      ->member_of(keep_names());
  mesh_app
      ->add_option("--page", arguments->page, "also a page with the mesh to look at, and mesh.json, into this folder")
      ->type_name("DIR");
  add_threads_option(*mesh_app, arguments->threads);
  mesh_app->callback([arguments, &command] { command = [arguments] { return make_mesh(*arguments); }; });
}

}  // namespace brio
