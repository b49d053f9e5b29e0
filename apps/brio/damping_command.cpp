#include "brio/core/error.hpp"
#include "brio/output/damping_output.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include <memory>

namespace brio {
namespace {

struct DampingArguments {
  std::vector<std::string> h = {"0.01"}, integrators;
  std::string folder = "out";
};

double step_length(const std::string& text) {
  constexpr double kShortest = 1e-9, kLongest = 1e6;  // [s]: outside, the oscillator's numbers over- or underflow
  size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != text.size() || !(value >= kShortest && value <= kLongest))
    throw Error("--h {}: expected a step between {:g} and {:g} [s]", text, kShortest, kLongest);
  return value;
}

std::vector<Method> methods_of(const std::vector<std::string>& texts) {
  std::vector<Method> methods;
  if (texts.empty())
    for (const IntegratorEntry& row : integrators()) methods.push_back(parse_method(row.name));
  for (const std::string& text : texts) methods.push_back(parse_method(text));
  return methods;
}

void print_methods(const std::vector<Method>& methods, double h) {
  size_t width = 10;
  for (const Method& method : methods) width = std::max(width, method.name.size());
  const std::vector<double> products = {0.01, 0.1, 0.5, 1, 2, 5, 10, 100};
  fmt::print("Artificial damping d / omega of q'' + omega^2 q = 0, measured; negative: the method gains energy\n");
  fmt::print("{:{}}  h omega =", "integrator", width);
  for (double z : products) fmt::print("{:>9g}", z);
  fmt::print("\n");
  for (const DampingCurve& curve : study_damping(methods, {h}, products).curves) {
    fmt::print("{:{}}           ", curve.method.name, width);
    for (double d : curve.measured) fmt::print("{:>9}", fmt::format("{:.4f}", std::fabs(d) < 5e-5 ? 0.0 : d));
    fmt::print("\n");
  }
}

int damping(const DampingArguments& arguments) {
  std::vector<double> h;
  for (const std::string& text : arguments.h) h.push_back(step_length(text));
  const std::vector<Method> methods = methods_of(arguments.integrators);
  write_damping(arguments.folder, study_damping(methods, h, damping_products()));
  print_methods(methods, h[0]);
  fmt::print("open {}/damping.html in a browser; the numbers are in damping.csv and damping.json beside it\n",
             arguments.folder);
  return kOk;
}

}  // namespace

void add_damping(CommandLine& app, Command& command) {
  CommandLine* damping_app =
      app.add_subcommand("damping", "measure what each integrator's step does to a vibration, and draw it");
  auto arguments = std::make_shared<DampingArguments>();
  damping_app->add_option("--h", arguments->h, "steps [s] for which the page shows what is left of each frequency")
      ->type_name("H,...")
      ->delimiter(',')
      ->capture_default_str();
  damping_app
      ->add_option("--integrators", arguments->integrators,
                   "only these, for example be,genalpha:r=0.2; all of `brio list integrators` if left out")
      ->type_name("NAME[:key=value...],...")
      ->delimiter(',');
  damping_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  damping_app->callback([arguments, &command] { command = [arguments] { return damping(*arguments); }; });
}

}  // namespace brio
