#pragma once
// The arguments of the program and of its commands: as much of CLI11 as brio uses, behind plain classes. (CLI11's own
// header takes four seconds to compile in every file that includes it; only command_line.cpp does.)

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace brio {

/// An option or a positional argument; each function returns it, for the next.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}
  Argument* type_name(const std::string& name);  ///< of its value, in the help
  Argument* required();
  Argument* capture_default_str();           ///< the help shows the value that it has now
  Argument* allow_extra_args(bool allowed);  ///< whether it may be followed by several values
  Argument* delimiter(char between);
  Argument* excludes(const Argument* other);
  Argument* range(int least, int most);
  Argument* range(double least, double most);
  Argument* number();
  Argument* member_of(const std::vector<std::string>& names);

 private:
  CLI::Option* option_;
};

class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& program, const std::string& version);
  explicit CommandLine(CLI::App* command);
  ~CommandLine();
  CommandLine* add_subcommand(const std::string& name, const std::string& about);
  Argument* add_option(const std::string& names, std::string& value, const std::string& about);
  Argument* add_option(const std::string& names, int& value, const std::string& about);
  Argument* add_option(const std::string& names, double& value, const std::string& about);
  Argument* add_option(const std::string& names, std::optional<std::string>& value, const std::string& about);
  Argument* add_option(const std::string& names, std::optional<int>& value, const std::string& about);
  Argument* add_option(const std::string& names, std::optional<double>& value, const std::string& about);
  Argument* add_option(const std::string& names, std::vector<std::string>& value, const std::string& about);
  Argument* add_flag(const std::string& names, bool& value, const std::string& about);
  void footer(const std::string& text);
  void callback(std::function<void()> chosen);  ///< when people call this command

  /// Whether to go on; otherwise, help or a complaint was printed, and `refused` says which.
  bool parse(int argc, char** argv, bool& refused);

 private:
  Argument* keep(CLI::Option* option);

  std::unique_ptr<CLI::App> own_;  ///< of the program itself
  CLI::App* app_;
  std::vector<std::unique_ptr<Argument>> arguments_;
  std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace brio
