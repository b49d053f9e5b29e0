#include "brio/integrate/parts/contact_step.hpp"

namespace brio {

void ContactStep::begin(const VectorXd& q, double h, const VectorXd& way, const VectorXd& image_of_way,
                        const MatrixXd& recent, Linearization& lin) {
  lin_ = &lin;
  space_.basis().begin(q, h, way, image_of_way, recent, lin);
}

int ContactStep::solve(const ContactTerms& terms, const VectorXd& gradient, const VectorXd& force, double precision,
                       double share) {
  // Of the precision: what is left alone but for rigid motions, and what is left of more. A stack that was brought to
  // the first and no further crept at 1e-4 of the speed that it had fallen with.
  constexpr double kCalm = 0.5, kLeft = 0.1;
  space_.couple(terms, gradient, force);
  decrease_ = space_.minimize();
  left_ = 0;
  int solves = 0;
  for (bool solved = false;;) {
    space_.place(direction_, image_);
    if (solved) return solves;
    product_.setZero(gradient.size());
    terms.add_product(direction_, product_);
    residual_ = -gradient - image_ - product_;
    if (residual_.norm() <= (solves == 0 ? kCalm : kLeft) * precision) return solves;
    solution_ = residual_;
    lin_->solve_single_precision(solution_);
    ++solves;
    left_ = 0.5 * residual_.dot(solution_);  // r^T (A + C)^-1 r <= r^T A^-1 r
    if (!space_.add(solution_)) return solves;
    decrease_ = space_.minimize();
    solved = left_ <= share * space_.strain_energy();
  }
}

}  // namespace brio
