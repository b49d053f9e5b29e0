#include "brio/core/json.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/output/mesh_output.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {
namespace {

struct InfoArguments {
  std::string file, folder;
  bool json = false;
};

int info(const InfoArguments& arguments) {
  const LoadedMesh mesh = read_mesh(arguments.file);
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

}  // namespace

void add_info(CommandLine& app, Command& command) {
  CommandLine* info_app =
      app.add_subcommand("info", "say what a mesh file holds, how good it is, and what is wrong with it");
  auto arguments = std::make_shared<InfoArguments>();
  info_app
      ->add_option("file", arguments->file, "mesh or surface; the extension tells the format, see `brio list formats`")
      ->required();
  info_app->add_flag("--json", arguments->json, "for machines");
  info_app
      ->add_option("-o,--output", arguments->folder, "also write a page with the body, and mesh.json, into this folder")
      ->type_name("DIR");
  info_app->callback([arguments, &command] { command = [arguments] { return info(*arguments); }; });
}

}  // namespace brio
