#include "trammel/analysis/comparison/deviation.h"

#include <algorithm>

namespace trammel::analysis::comparison {

using system::largest;
using system::Vector;

void Deviation::include(const Deviation& other) {
  position = std::max(position, other.position);
  velocity = std::max(velocity, other.velocity);
  acceleration = std::max(acceleration, other.acceleration);
  reaction = std::max(reaction, other.reaction);
}

Deviation Deviation::times(double factor) const {
  return {factor * position, factor * velocity, factor * acceleration, factor * reaction};
}

Deviation Deviation::relative_to(const Deviation& scale) const {
  const auto over = [](double value, double size) { return size > 0.0 ? value / size : value; };
  return {position, over(velocity, scale.velocity), over(acceleration, scale.acceleration),
          over(reaction, scale.reaction)};
}

void ReactionForces::operator()(const system::Motion& motion, Vector& reaction) {
  const Eigen::Index n = motion.a.size();
  system_.tangent(motion, {.acceleration = 1.0}, nullptr, matrix_);
  stacked_.setZero(n + motion.lambda.size());
  stacked_.tail(motion.lambda.size()) = motion.lambda;
  matrix_.multiply(stacked_, product_);
  reaction = product_.head(n);
}

Deviation deviation(const system::MechanicalSystem& system, const Sample& a, const Sample& b) {
  const Vector& scale = system.displacement_scale();
  Vector x;
  system.logarithm(a.state.q, b.state.q, x);
  return {largest(x.cwiseQuotient(scale)), largest((a.state.v - b.state.v).cwiseQuotient(scale)),
          largest((a.a - b.a).cwiseQuotient(scale)),
          largest((a.reaction - b.reaction).cwiseProduct(scale))};
}

Deviation magnitude(const system::MechanicalSystem& system, const Sample& sample) {
  const Vector& scale = system.displacement_scale();
  return {0.0, largest(sample.state.v.cwiseQuotient(scale)), largest(sample.a.cwiseQuotient(scale)),
          largest(sample.reaction.cwiseProduct(scale))};
}

}  // namespace trammel::analysis::comparison
