#include "brio/integrate/parts/contact_step.hpp"

namespace brio {

void ContactStep::begin(const VectorXd& q, double h, const VectorXd& way, const VectorXd& image_of_way,
                        Linearization& lin) {
  lin_ = &lin;
  space_.basis().begin(q, h, way, image_of_way, lin);
}

int ContactStep::solve(const ContactTerms& terms, const VectorXd& gradient, double precision, bool far) {
  // What the solution may miss of what it gains, far from the minimum and near.
  static const double kRoughly = getenv("ROUGH")?atof(getenv("ROUGH")):1e-2, kSolved = getenv("SOLVED")?atof(getenv("SOLVED")):1e-4;
  // Of the precision: what is left alone but for rigid motions, and what is left of more. A stack that was brought to
  // the first and no further crept at 1e-4 of the speed that it had fallen with.
  constexpr double kCalm = 0.5, kLeft = 0.1;
  space_.couple(terms, gradient);
  decrease_ = space_.minimize();
  int solves = 0;
  for (bool solved = false;;) {
    space_.place(direction_, image_);
    if (solved) return solves;
    product_.setZero(gradient.size());
    terms.add_product(direction_, product_);
    residual_ = -gradient - image_ - product_;
    if (residual_.norm() <= (solves == 0 ? kCalm : kLeft) * precision) return solves;
    solution_ = residual_;
    lin_->solve(solution_);
    ++solves;
    // r^T (A + C)^-1 r <= r^T A^-1 r: twice the most that could still be gained before this solve.
    const double left = 0.5 * residual_.dot(solution_);
    if (!space_.add(solution_, residual_)) return solves;
    decrease_ = space_.minimize();
    solved = left <= (far ? kRoughly : kSolved) * decrease_;
  }
}

}  // namespace brio
