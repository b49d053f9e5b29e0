// One step of Newton's method on bodies that touch, held against a dense matrix.

#include "brio/integrate/parts/contact_step.hpp"

#include "brio/system/contact_system.hpp"

#include <gtest/gtest.h>

#include "touching.hpp"
#include <random>

namespace brio {
namespace {

constexpr double kLength = 0.01;  // of the step [s]
constexpr double kMissed = 1e-4;  // of what is gained

struct Dice {
  std::mt19937 engine;
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

/// Contacts between random points of any pieces: some along a normal, some held by friction, some with one point alone.
void add_random_terms(int count, int points, Dice& dice, ContactTerms& terms) {
  for (int i = 0; i < count; ++i) {
    ContactTerm& term = terms.list.emplace_back();
    const Vec3 normal = Vec3(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)).normalized();
    const double stiffness = std::pow(10.0, dice.between(-3, 1));
    term.stiffness = stiffness * normal * normal.transpose();
    if (i % 3 == 1) term.stiffness = stiffness * (Mat3::Identity() - normal * normal.transpose());
    const double a = dice.between(0, 1), b = dice.between(0, 1 - a);
    term.weight = {1, -a, -b, a + b - 1};
    for (int k = 0; k < 4; ++k)
      term.point[k] = i % 5 == 0 && k > 0 ? -1 : std::min(points - 1, static_cast<int>(dice.between(0, points)));
  }
}

MatrixXd dense_matrix(const System& system, const Linearization& lin, const ContactTerms& terms) {
  const Index n = system.dofs();
  MatrixXd H(n, n);
  VectorXd column, contact(n);
  for (Index i = 0; i < n; ++i) {
    const VectorXd unit = VectorXd::Unit(n, i);
    lin.multiply_stiffness(unit, column);
    contact.setZero();
    terms.add_product(unit, contact);
    H.col(i) = kLength * kLength * column + system.mass().cwiseProduct(unit) + contact;
  }
  return H;
}

TEST(ContactStep, finds_the_minimum_that_a_dense_matrix_has) {
  Simulation simulation = touching_scene(kSmallStack, {});
  const System& system = simulation.system->contacts()->without_obstacles();
  const Index n = system.dofs();
  const auto lin = system.linearization();
  VectorXd gradient(n);
  lin->assemble(0, simulation.state.q, Psd::clamp, gradient);
  ASSERT_EQ(lin->factor(1, kLength, kLength * kLength), FactorStatus::ok);
  ContactStep step(system, 0);
  step.begin(simulation.state.q, kLength, VectorXd::Zero(n), VectorXd::Zero(n), MatrixXd(n, 0), *lin);
  Dice dice{std::mt19937(7)};
  ContactTerms terms;
  terms.motion.own = static_cast<int>(n / 3);
  int first = 0;
  // Contacts come to others from iteration to iteration; what earlier ones have found is of use.
  for (int iteration = 0; iteration < 4; ++iteration) {
    add_random_terms(iteration == 0 ? 60 : 4, terms.motion.own, dice, terms);
    for (Index i = 0; i < n; ++i) gradient[i] = dice.between(-1e-3, 1e-3);
    const int solves = step.solve(terms, gradient, gradient, 0, kMissed);
    if (iteration == 0) first = solves;
    EXPECT_LE(solves, first);
    const MatrixXd H = dense_matrix(system, *lin, terms);
    const VectorXd exact = -H.ldlt().solve(gradient), &d = step.direction();
    const double least = 0.5 * gradient.dot(exact);
    const double off = 0.5 * d.dot(H * d) + gradient.dot(d) - least;
    EXPECT_GE(off, -1e-12 * std::fabs(least));
    EXPECT_LT(off, kMissed * std::fabs(least)) << iteration;
    EXPECT_LE(off, (1 + 1e-6) * step.left()) << iteration;
    // What the step knows of a force strains no more than the force does.
    VectorXd strained = gradient;
    lin->solve(strained);
    EXPECT_GT(step.strain_energy(gradient), 0);
    EXPECT_LE(step.strain_energy(gradient), 0.5 * gradient.dot(strained));
    EXPECT_NEAR(step.decrease(), -(least + off), 1e-9 * std::fabs(least));
    const ContactTerms none{terms.motion, {}};
    EXPECT_LT((step.image() - dense_matrix(system, *lin, none) * d).norm(), 1e-10 * step.image().norm());
  }
}

/// Without contact one solve is the answer for all pieces.
TEST(ContactStep, takes_one_solve_where_nothing_touches) {
  Simulation simulation = touching_scene(kSmallStack, {});
  const System& system = simulation.system->contacts()->without_obstacles();
  const Index n = system.dofs();
  const auto lin = system.linearization();
  VectorXd gradient(n);
  lin->assemble(0, simulation.state.q, Psd::clamp, gradient);
  ASSERT_EQ(lin->factor(1, kLength, kLength * kLength), FactorStatus::ok);
  ContactStep step(system, 0);
  step.begin(simulation.state.q, kLength, VectorXd::Zero(n), VectorXd::Zero(n), MatrixXd(n, 0), *lin);
  Dice dice{std::mt19937(3)};
  for (Index i = 0; i < gradient.size(); ++i) gradient[i] = dice.between(-1, 1);
  ContactTerms terms;
  terms.motion.own = static_cast<int>(n / 3);
  EXPECT_LE(step.solve(terms, gradient, gradient, 1e-9 * gradient.norm(), 0),
            2);  // the second one sees that nothing is left
  VectorXd exact = -gradient;
  lin->solve(exact);
  EXPECT_LT((step.direction() - exact).norm(), 1e-10 * exact.norm());
}

/// Contact that lasts moves the bodies as it did before: what the last steps have found is in the space from the
/// beginning.
TEST(ContactStep, begins_with_the_ways_of_the_last_steps) {
  Simulation simulation = touching_scene(kSmallStack, {});
  const System& system = simulation.system->contacts()->without_obstacles();
  const Index n = system.dofs();
  const auto lin = system.linearization();
  VectorXd gradient(n);
  lin->assemble(0, simulation.state.q, Psd::clamp, gradient);
  ASSERT_EQ(lin->factor(1, kLength, kLength * kLength), FactorStatus::ok);
  Dice dice{std::mt19937(11)};
  for (Index i = 0; i < n; ++i) gradient[i] = dice.between(-1, 1);
  ContactTerms terms;
  terms.motion.own = static_cast<int>(n / 3);
  add_random_terms(60, terms.motion.own, dice, terms);
  const VectorXd exact = -dense_matrix(system, *lin, terms).ldlt().solve(gradient);
  ContactStep step(system, 0);
  for (bool known : {false, true}) {
    MatrixXd recent(n, known ? 3 : 0);
    // The answer, twice, and a way that has nothing to do with it.
    if (known) recent << exact, 2 * exact, VectorXd::Ones(n);
    step.begin(simulation.state.q, kLength, VectorXd::Zero(n), VectorXd::Zero(n), recent, *lin);
    const int solves = step.solve(terms, gradient, gradient, 1e-6 * gradient.norm(), 0);
    EXPECT_TRUE(known ? solves == 0 : solves > 5) << solves;
    EXPECT_LT((step.direction() - exact).norm(), 1e-4 * exact.norm());
  }
}

}  // namespace
}  // namespace brio
