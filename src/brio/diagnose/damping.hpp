#pragma once
// What an integrator's step does to the oscillator q'' + omega^2 q = 0, measured by stepping it: the damping
// coefficient d of the "ghost" oscillator q'' + d q' + omega^2 q = 0 that loses as much ([ERE] eq. 6).

#include "brio/integrate/integrator.hpp"

namespace brio {

/// A row of the table of integrators with values for its options.
struct Method {
  std::string name;  ///< for people: "genalpha:r=0.2"
  const IntegratorEntry* row;
  Options options;

  std::unique_ptr<Integrator> make() const { return row->make(options); }
};

/// From "genalpha" or "genalpha:r=0.2:tolerance=1e-8". Throws Error for an unknown name, key or value.
Method parse_method(const std::string& text);

/// Factor by which the oscillator's amplitude changes a step in the long run: the spectral radius of the
/// amplification matrix of everything that the method carries from step to step, identified from the positions and
/// velocities of a few steps, so that methods with memory need no special treatment. Not a number when a step fails.
double measured_amplification(const Method& method, double h, double h_omega);

/// The same from the table's formula; not a number where there is none.
double closed_form_amplification(const Method& method, double h_omega);

/// d / omega for an amplification rho a step; negative for methods that gain energy.
double damping_over_omega(double rho, double h_omega);

/// The oscillator q'' + d q' + omega^2 q = 0 from q = 0, v = 1, one entry a step with the start.
struct OscillatorRun {
  std::vector<double> t, q;  ///< [s], [m]
};
/// By steps of the method; ends early where a step fails.
OscillatorRun step_oscillator(const Method& method, double omega, double d, double h, int steps);
/// The exact solution at `samples` evenly spaced times of [0, duration].
OscillatorRun exact_oscillator(double omega, double d, double duration, int samples);

}  // namespace brio
