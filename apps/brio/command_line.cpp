#include "command_line.hpp"

#include <CLI/CLI.hpp>

namespace brio {

Argument* Argument::type_name(const std::string& name) { return option_->type_name(name), this; }
Argument* Argument::required() { return option_->required(), this; }
Argument* Argument::capture_default_str() { return option_->capture_default_str(), this; }
Argument* Argument::allow_extra_args(bool allowed) { return option_->allow_extra_args(allowed), this; }
Argument* Argument::delimiter(char between) { return option_->delimiter(between), this; }
Argument* Argument::excludes(const Argument* other) { return option_->excludes(other->option_), this; }
Argument* Argument::range(int least, int most) { return option_->check(CLI::Range(least, most)), this; }
Argument* Argument::range(double least, double most) { return option_->check(CLI::Range(least, most)), this; }
Argument* Argument::number() { return option_->check(CLI::Number), this; }
Argument* Argument::member_of(const std::vector<std::string>& names) {
  return option_->check(CLI::IsMember(names)), this;
}

CommandLine::CommandLine(const std::string& about, const std::string& program, const std::string& version)
    : own_(std::make_unique<CLI::App>(about, program)), app_(own_.get()) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->fallthrough();  // so that options of all commands may follow the command's name
}
CommandLine::CommandLine(CLI::App* command) : app_(command) {}
CommandLine::~CommandLine() = default;

CommandLine* CommandLine::add_subcommand(const std::string& name, const std::string& about) {
  return commands_.emplace_back(std::make_unique<CommandLine>(app_->add_subcommand(name, about))).get();
}

Argument* CommandLine::keep(CLI::Option* option) {
  return arguments_.emplace_back(std::make_unique<Argument>(option)).get();
}

Argument* CommandLine::add_option(const std::string& names, std::string& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, int& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, double& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, std::optional<std::string>& value,
                                  const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, std::optional<int>& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, std::optional<double>& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_option(const std::string& names, std::vector<std::string>& value, const std::string& about) {
  return keep(app_->add_option(names, value, about));
}
Argument* CommandLine::add_flag(const std::string& names, bool& value, const std::string& about) {
  return keep(app_->add_flag(names, value, about));
}

void CommandLine::footer(const std::string& text) { app_->footer(text); }
void CommandLine::callback(std::function<void()> chosen) { app_->callback(std::move(chosen)); }

bool CommandLine::parse(int argc, char** argv, bool& refused) {
  try {
    app_->parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    refused = app_->exit(error) != 0;
    return false;
  }
}

}  // namespace brio
