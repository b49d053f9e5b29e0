#include "brio/output/report_of_folder.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {

void add_report(CommandLine& app, Command& command) {
  CommandLine* report_app =
      app.add_subcommand("report", "make the page of a run that was broken off, or is still going on");
  auto folder = std::make_shared<std::string>();
  report_app->add_option("folder", *folder, "the folder of the run")->type_name("DIR")->required();
  report_app->callback([folder, &command] {
    command = [folder] {
      fmt::print("{}\n", write_report_of_folder(*folder));
      fmt::print("open {}/report.html in a browser to see it\n", *folder);
      return kOk;
    };
  });
}

}  // namespace brio
