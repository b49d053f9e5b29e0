#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/output/save_mesh.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {
namespace {

struct ConvertArguments {
  std::string from, to;
  bool mend = false;
};

int convert(const ConvertArguments& arguments) {
  find_mesh_format(arguments.to);  // refused before a large file is read for nothing
  const LoadedMesh mesh = arguments.mend ? load_mesh(arguments.from) : read_mesh(arguments.from);
  for (const std::string& message : mesh.messages) fmt::print("{}: {}\n", arguments.from, message);
  const SavedMesh saved = save_mesh(arguments.to, mesh);
  for (const std::string& message : saved.messages) fmt::print("{}: {}\n", arguments.to, message);
  for (const auto& file : saved.files) fmt::print("wrote {}\n", file.string());
  return kOk;
}

}  // namespace

void add_convert(CommandLine& app, Command& command) {
  CommandLine* convert_app = app.add_subcommand("convert", "write a mesh or surface in another format");
  auto arguments = std::make_shared<ConvertArguments>();
  convert_app
      ->add_option("from", arguments->from, "file to read; the extension tells the format, see `brio list formats`")
      ->required();
  convert_app->add_option("to", arguments->to, "file to write")->required();
  convert_app->add_flag(
      "--mend", arguments->mend,
      "turn round flipped tetrahedra, drop flat and duplicate ones and unused vertices, as `run` does; "
      "without it, every number stays as it is");
  convert_app->callback([arguments, &command] { command = [arguments] { return convert(*arguments); }; });
}

}  // namespace brio
