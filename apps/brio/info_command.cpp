#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/solids/winding_number.hpp"
#include "brio/output/mesh_output.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/body.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {
namespace {

struct InfoArguments {
  std::string file, folder, against;
  bool json = false;
};

int info_of_mesh(const InfoArguments& arguments) {
  LoadedMesh mesh = read_mesh(arguments.file);
  if (!arguments.against.empty()) {
    mesh.shape = make_surface_solid(load_surface(arguments.against).surface)->facts();
    if (!mesh.shape) {
      throw Error("{}: its volume and genus are not certain: it is open, runs through itself or has several parts",
                  arguments.against);
    }
  }
  const MeshInspection inspection = inspect(mesh);
  const std::string name = std::filesystem::path(arguments.file).filename().string();
  if (!arguments.folder.empty()) write_mesh_page(arguments.folder, name, mesh, inspection);
  if (arguments.json) {
    fmt::print("{}\n", inspection_json(mesh, inspection).dump(2));
  } else {
    fmt::print("{}", describe(mesh, inspection, arguments.file));
    if (!arguments.folder.empty()) fmt::print("open {}/report.html in a browser\n", arguments.folder);
  }
  return kOk;
}

/// The meshes of a scene's bodies, one after the other; those that share a mesh once.
int info_of_scene(const InfoArguments& arguments) {
  const Scene scene = load_scene(arguments.file, scene_tables());
  const std::vector<Body> bodies = make_bodies(scene);
  Json json = Json::object();
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    const std::string name = shown_name(body), where = fmt::format("{}: {}", arguments.file, name);
    if (const size_t original = scene.bodies[b].original; original != b) {
      if (!arguments.json) fmt::print("{}: the mesh of {}\n", where, shown_name(bodies[original]));
      continue;
    }
    if (body.mesh.tets() == 0) {
      if (!arguments.json) fmt::print("{}: {} {}\n", where, body.elements(), body.element_name());
      json[name] = {{body.element_name(), body.elements()}, {"vertices", body.vertices()}};
      continue;
    }
    LoadedMesh mesh;
    mesh.mesh = body.mesh;
    mesh.vertex_sets = body.groups;
    mesh.region_names = body.region_names;
    const MeshInspection inspection = inspect(mesh);
    json[name] = inspection_json(mesh, inspection);
    if (!arguments.json) fmt::print("{}", describe(mesh, inspection, where));
    if (arguments.folder.empty()) continue;
    write_mesh_page(std::filesystem::path(arguments.folder) / name, name, mesh, inspection);
    if (!arguments.json) fmt::print("open {}/{}/report.html in a browser\n", arguments.folder, name);
  }
  if (arguments.json) fmt::print("{}\n", json.dump(2));
  return kOk;
}

int info(const InfoArguments& arguments) {
  return std::filesystem::path(arguments.file).extension() == ".json" ? info_of_scene(arguments)
                                                                      : info_of_mesh(arguments);
}

}  // namespace

void add_info(CommandLine& app, Command& command) {
  CommandLine* info_app = app.add_subcommand(
      "info", "say what a mesh file, or each body of a scene, holds, how good it is, and what is wrong with it");
  auto arguments = std::make_shared<InfoArguments>();
  info_app
      ->add_option("file", arguments->file,
                   "mesh, surface or SCENE.json; the extension tells the format, see `brio list formats`")
      ->required();
  info_app
      ->add_option("--against", arguments->against,
                   "a closed surface that the mesh should fill: its volume, parts and genus beside those of the mesh")
      ->type_name("SURFACE");
  info_app->add_flag("--json", arguments->json, "for machines");
  info_app
      ->add_option("-o,--output", arguments->folder, "also write a page with the body, and mesh.json, into this folder")
      ->type_name("DIR");
  info_app->callback([arguments, &command] { command = [arguments] { return info(*arguments); }; });
}

}  // namespace brio
