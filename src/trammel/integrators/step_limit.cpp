#include "trammel/integrators/step_limit.h"

#include <cmath>

namespace trammel::integrators {

using system::Vector;

StepLimit::StepLimit(system::MechanicalSystem& system)
    : system_(system),
      velocities_(system.sizes().v),
      matrix_(system.pattern()),
      matrix_of_reverse_(system.pattern()) {
  // Anything with a part along every vibration, and always the same.
  frequency_vector_.resize(velocities_);
  for (int i = 0; i < velocities_; ++i) frequency_vector_[i] = std::sin(1.0 + 2.3 * i);
  frequency_vector_ = frequency_vector_.cwiseProduct(system.displacement_scale());
  decay_vector_ = frequency_vector_;
  full_.setZero(matrix_.pattern->size());
}

double StepLimit::quotient(const Accelerate& accelerate, Vector& x) {
  const int iterations = looked_ ? 4 : 30;
  const auto multiply = [&] {
    full_.head(velocities_) = x;
    matrix_.multiply(full_, product_);
    r_ = product_.head(velocities_);
  };
  multiply();
  double result = 0.0;
  for (int i = 0; i < iterations; ++i) {
    last_r_ = r_;
    accelerate(last_r_, x);
    const double size = x.norm();
    if (!(size > 0.0) || !std::isfinite(size)) return result;
    // M x = last_r_ on what the constraints allow.
    multiply();
    const double mass = x.dot(last_r_);
    if (mass != 0.0) result = std::max(0.0, x.dot(r_) / mass);
    x /= size;
    r_ /= size;
  }
  return result;
}

void StepLimit::look(const system::Motion& motion, const Accelerate& accelerate) {
  if (velocities_ == 0) return;
  system_.tangent(motion, {.position = 1.0}, nullptr, matrix_);
  frequency_ = std::sqrt(quotient(accelerate, frequency_vector_));
  // A vector that ended as zero says nothing the next time.
  if (!(frequency_vector_.norm() > 0.0)) frequency_vector_ = system_.displacement_scale();
  reverse_ = motion;
  reverse_.state.v = -motion.state.v;
  system_.tangent(motion, {.velocity = 1.0}, nullptr, matrix_);
  system_.tangent(reverse_, {.velocity = 1.0}, nullptr, matrix_of_reverse_);
  for (std::size_t i = 0; i < matrix_.values.size(); ++i) {
    matrix_.values[i] = 0.5 * (matrix_.values[i] + matrix_of_reverse_.values[i]);
  }
  decay_ = quotient(accelerate, decay_vector_);
  if (!(decay_vector_.norm() > 0.0)) decay_vector_ = system_.displacement_scale();
  looked_ = true;
}

std::size_t StepLimit::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(6 * velocities_ + 2 * matrix_.pattern->multipliers);
  return (numbers + 2 * matrix_.values.capacity()) * sizeof(double);
}

}  // namespace trammel::integrators
