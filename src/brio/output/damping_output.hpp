#pragma once
// damping.csv, damping.json and damping.html: artificial damping of every integrator, as in figures 1 to 4 of [ERE]
// and 18 and 19 of [SIERE].

#include "brio/diagnose/damping.hpp"

#include <filesystem>

namespace brio {

struct DampingCurve {
  Method method;
  std::vector<double> measured, closed_form;  ///< d / omega at each product; not a number where there is none
};

struct DampingStudy {
  std::vector<double> h;         ///< steps that the page looks at in particular [s]
  std::vector<double> products;  ///< h omega
  std::vector<DampingCurve> curves;
};

/// The products at which the page's curves are drawn: evenly spaced in the logarithm, 0.01 to 100.
std::vector<double> damping_products();

/// Steps each method on the oscillator, with the first of the steps h.
DampingStudy study_damping(const std::vector<Method>& methods, const std::vector<double>& h,
                           const std::vector<double>& products);

/// Creates the folder.
void write_damping(const std::filesystem::path& folder, const DampingStudy& study);

}  // namespace brio
