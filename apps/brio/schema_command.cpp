#include "brio/output/scene_tables.hpp"
#include "brio/scene/reference.hpp"
#include "brio/scene/schema.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {

void add_schema(CommandLine& app, Command& command) {
  CommandLine* schema = app.add_subcommand("schema", "print the JSON schema of scene files, or their reference page");
  auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown, "the reference page for people instead");
  schema->callback([markdown, &command] {
    command = [markdown] {
      fmt::print("{}",
                 *markdown ? scene_reference_markdown(scene_tables()) : scene_schema(scene_tables()).dump(1) + "\n");
      return kOk;
    };
  });
}

}  // namespace brio
