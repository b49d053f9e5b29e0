#include "brio/output/damping_output.hpp"

#include "brio/core/json.hpp"
#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brio {
namespace {

DampingCurve measure(const Method& method, double h, const std::vector<double>& products) {
  DampingCurve curve{method, {}, {}};
  for (double z : products) {
    curve.measured.push_back(damping_over_omega(measured_amplification(method, h, z), z));
    curve.closed_form.push_back(damping_over_omega(closed_form_amplification(method, z), z));
  }
  return curve;
}

/// Numbers as JSON has them: what is not finite becomes null.
Json curve_json(const DampingCurve& curve) {
  return {{"name", curve.method.name},
          {"summary", curve.method.row->summary},
          {"measured", curve.measured},
          {"closed_form", curve.method.row->amplification ? Json(curve.closed_form) : Json()}};
}

Json oscillator_json(const std::string& name, const OscillatorRun& run) {
  return {{"name", name}, {"t", run.t}, {"q", run.q}};
}

/// [ERE] figures 2 and 3: backward Euler on the undamped oscillator, and the damped oscillator whose solution it
/// follows.
Json ghost_figure(double omega, double h, int steps, int samples) {
  const Method be = parse_method(backward_euler().name);
  const double ghost = damping_over_omega(closed_form_amplification(be, h * omega), h * omega) * omega;
  return {{"omega", omega},
          {"h", h},
          {"ghost_damping", ghost},
          {"steps", oscillator_json(be.name, step_oscillator(be, omega, 0, h, steps))},
          {"ghost", oscillator_json("ghost", exact_oscillator(omega, ghost, h * steps, samples))},
          {"exact", oscillator_json("exact", exact_oscillator(omega, 0, h * steps, samples))}};
}

/// [SIERE] figure 19: omega = 100, d = 1, h = 0.01.
Json solutions_figure(const DampingStudy& study) {
  constexpr double kOmega = 100, kD = 1, kH = 0.01;  // [rad/s], [1/s], [s]
  constexpr int kSteps = 40;
  Json runs = Json::array();
  for (const DampingCurve& curve : study.curves)
    runs.push_back(oscillator_json(curve.method.name, step_oscillator(curve.method, kOmega, kD, kH, kSteps)));
  return {{"omega", kOmega},
          {"d", kD},
          {"h", kH},
          {"runs", runs},
          {"exact", oscillator_json("exact", exact_oscillator(kOmega, kD, kH * kSteps, 1201))}};
}

Json study_json(const DampingStudy& study) {
  Json curves = Json::array(), alpha = Json::array();
  for (const DampingCurve& curve : study.curves) curves.push_back(curve_json(curve));
  for (double r : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0})
    alpha.push_back(curve_json(
        measure(parse_method(fmt::format("{}:r={}", generalized_alpha().name, r)), study.h[0], study.products)));
  return {{"h", study.h},
          {"h_omega", study.products},
          {"curves", curves},
          {"backward_euler", curve_json(measure(parse_method(backward_euler().name), study.h[0], study.products))},
          {"generalized_alpha", alpha},
          {"ghost_short", ghost_figure(20, 0.05, 30, 901)},
          {"ghost_long", ghost_figure(200, 1, 3, 6001)},
          {"solutions", solutions_figure(study)}};
}

std::string csv_value(double value) { return std::isnan(value) ? "" : fmt::format("{:.17g}", value); }

}  // namespace

std::vector<double> damping_products() {
  std::vector<double> products;
  // An odd number of intervals leaves out 1, where methods that treat slow and fast modes differently may jump.
  constexpr int kIntervals = 161;
  for (int i = 0; i <= kIntervals; ++i) products.push_back(std::pow(10, -2 + 4.0 * i / kIntervals));
  return products;
}

DampingStudy study_damping(const std::vector<Method>& methods, const std::vector<double>& h,
                           const std::vector<double>& products) {
  DampingStudy study{h, products, {}};
  for (const Method& method : methods) study.curves.push_back(measure(method, h[0], products));
  return study;
}

void write_damping(const std::filesystem::path& folder, const DampingStudy& study) {
  create_folder(folder);
  write_whole_file(folder / "damping.csv", [&](OutputFile& file) {
    file.write("integrator,h_omega,measured_d_over_omega,closed_form_d_over_omega\n");
    for (const DampingCurve& curve : study.curves)
      for (size_t i = 0; i < study.products.size(); ++i)
        file.write(fmt::format("{},{:.17g},{},{}\n", curve.method.name, study.products[i], csv_value(curve.measured[i]),
                               csv_value(curve.closed_form[i])));
  });
  const Json json = study_json(study);
  write_whole_file(folder / "damping.json", [&](OutputFile& file) { file.write(json.dump() + "\n"); });
  write_page(folder / "damping.html", damping_template(), [&](OutputFile& file) { file.write(script_text(json)); });
}

}  // namespace brio
