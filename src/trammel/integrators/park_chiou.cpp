#include "trammel/integrators/park_chiou.h"

#include <algorithm>
#include <cmath>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using Eigen::Vector3d;
using system::Vector;

namespace {

// All freedoms as parts.
std::vector<system::FreedomPart> parts_of(system::MechanicalSystem& system) {
  const auto told = system::freedom_parts(system);
  if (!told.empty()) return {told.begin(), told.end()};
  const system::Sizes sizes = system.sizes();
  if (sizes.q != sizes.v) {
    throw core::InputError(
        "park-chiou advances Euler parameters of bodies, and this system does not tell where they "
        "are",
        "take absolute coordinates (coordinates: absolute), or staggered");
  }
  if (sizes.v == 0) return {};
  return {{0, 0, sizes.v, false}};
}

EulerParameters parameters_at(const Vector& q, const system::FreedomPart& part) {
  return q.segment<4>(part.first_q);
}

// e of (5.7) with the right side b.
bool middle_parameters(
    UnitNorm norm, double d, const Vector3d& p, const EulerParameters& b, EulerParameters& e) {
  switch (norm) {
    case UnitNorm::closed:
      return unit_midpoint(d, p, b, e);
    case UnitNorm::newton:
      return unit_midpoint_by_newton(d, p, b, e);
    case UnitNorm::none:
      break;
  }
  e = solve_midpoint(d, p, b);
  return true;
}

EulerParameters middle_rates(UnitNorm norm,
                             double d,
                             const Vector3d& w,
                             const EulerParameters& b,
                             const EulerParameters& e) {
  return norm == UnitNorm::none ? solve_midpoint(d, w, b) : tangent_midpoint(d, w, b, e);
}

Vector3d rates_at(const Vector& v, const system::FreedomPart& part) {
  return v.segment<3>(part.first_v);
}

}  // namespace

ParkChiou::ParkChiou(system::MechanicalSystem& system, ParkChiouOptions options)
    : rows_left_(system),
      system_(rows_left_),
      options_(std::move(options)),
      sizes_(system.sizes()),
      parts_(parts_of(system)),
      middle_forces_(system_, solver_by_name(options_.solver), options_.penalty),
      end_forces_(system_, solver_by_name(options_.solver), options_.penalty) {}

void ParkChiou::start(const system::Motion& motion) {
  now_ = motion;
  rows_left_.begin(motion.state);
  rows_left_.regroup(now_.lambda);
  middle_forces_.begin(now_.lambda);
  end_forces_.begin(now_.lambda);
  middle_ = now_;
  end_ = now_;
  rows_left_.make_unique(now_.state, now_.lambda);
  begin_rotations();
  h_ = 0.0;
  time_carry_ = 0.0;
  for (Vector* v : {&half_velocity_, &next_half_velocity_, &last_velocity_, &x_}) {
    v->setZero(sizes_.v);
  }
  rates_.setZero(sizes_.z);
  settle_memory();
}

template <class Visit>
void ParkChiou::for_numbers(const Visit& visit) const {
  for (const system::FreedomPart& part : parts_) {
    if (!part.rotation) visit(part.first_q, part.first_v, part.count);
  }
}

// ---- translations

// Where h changes, the half step before is made anew from what is at t_k.
void ParkChiou::begin_translations(double h) {
  if (h != h_) half_velocity_ = now_.state.v - 0.5 * h * now_.a;
  next_half_velocity_ = half_velocity_ + h * now_.a;
}

void ParkChiou::translate_to_middle() {
  const double d = 0.5 * h_;
  if (explicit_translations()) {
    middle_.state.v = next_half_velocity_;
  } else {
    middle_.state.v = now_.state.v + d * middle_.a;
  }
  for_numbers([&](int q, int v, int n) {
    middle_.state.q.segment(q, n) = now_.state.q.segment(q, n) + d * middle_.state.v.segment(v, n);
  });
}

void ParkChiou::translate_to_end(system::State& end) {
  const double d = 0.5 * h_;
  for_numbers([&](int q, int v, int n) {
    end.q.segment(q, n) = now_.state.q.segment(q, n) + h_ * middle_.state.v.segment(v, n);
    if (explicit_translations()) {
      end.v.segment(v, n) = middle_.state.v.segment(v, n) + d * middle_.a.segment(v, n);
    } else {
      end.v.segment(v, n) = 2.0 * middle_.state.v.segment(v, n) - now_.state.v.segment(v, n);
    }
  });
}

// ---- rotations

void ParkChiou::begin_rotations() {
  rate_.clear();
  for (const system::FreedomPart& part : parts_) {
    if (!part.rotation) continue;
    rate_.push_back(euler_rate(rates_at(now_.state.v, part), parameters_at(now_.state.q, part)));
  }
  middle_rate_ = rate_;
}

// e, e' and w of the middle of every node, with w and w' of the pass before; the first takes them
// from t_k.
bool ParkChiou::rotate_to_middle(bool first) {
  const double d = 0.5 * h_;
  std::size_t node = 0;
  for (const system::FreedomPart& part : parts_) {
    if (!part.rotation) continue;
    const EulerParameters e_k = parameters_at(now_.state.q, part);
    const Vector3d w_k = rates_at(now_.state.v, part);
    const Vector3d w_dot = rates_at(first ? now_.a : middle_.a, part);
    const Vector3d w = first ? w_k : Vector3d(rates_at(last_velocity_, part));
    const EulerParameters right = e_k - d * euler_rate(w, e_k) + d * euler_rate(w_k, e_k);
    const Vector3d p = w + d * w_dot;
    EulerParameters e;
    if (!middle_parameters(options_.norm, d, p, right, e)) return false;
    const EulerParameters right_rate = rate_[node] + d * euler_rate(w_dot, e);
    middle_rate_[node] = middle_rates(options_.norm, d, first ? p : w, right_rate, e);
    middle_.state.q.segment<4>(part.first_q) = e;
    middle_.state.v.segment<3>(part.first_v) = angular_velocity(e, middle_rate_[node]);
    ++node;
  }
  return true;
}

bool ParkChiou::rotate_to_end(system::State& end) {
  std::size_t node = 0;
  for (const system::FreedomPart& part : parts_) {
    if (!part.rotation) continue;
    EulerParameters e =
        2.0 * parameters_at(middle_.state.q, part) - parameters_at(now_.state.q, part);
    EulerParameters rate = 2.0 * middle_rate_[node] - rate_[node];
    if (options_.norm != UnitNorm::none) {
      e.normalize();
      rate -= e.dot(rate) * e;
    }
    end.q.segment<4>(part.first_q) = e;
    end.v.segment<3>(part.first_v) = angular_velocity(e, rate);
    middle_rate_[node] = rate;
    ++node;
  }
  return end.q.allFinite() && end.v.allFinite();
}

// ---- constraint forces

bool ParkChiou::solve_middle() {
  if (sizes_.multipliers() == 0) return middle_forces_.solve_accelerations(middle_);
  system_.acceleration_bias(middle_.state, gamma_);
  return middle_forces_.solve_penalty(gamma_, now_.lambda, middle_);
}

bool ParkChiou::solve_end(system::Motion& end) {
  if (sizes_.multipliers() == 0) return end_forces_.solve_accelerations(end);
  if (options_.multipliers == EndMultipliers::extrapolated) {
    end.lambda = 2.0 * middle_.lambda - now_.lambda;
    return end_forces_.solve_with_multipliers(end);
  }
  system_.acceleration_bias(end.state, gamma_);
  return end_forces_.solve_penalty(gamma_, now_.lambda, end);
}

// ---- the step

Failure ParkChiou::pass(bool first) {
  if (!first) last_velocity_ = middle_.state.v;
  translate_to_middle();
  if (!rotate_to_middle(first)) return Failure::unresolved;
  if (sizes_.z > 0) {
    system_.first_order_states()->rates(first ? now_.state : middle_.state, rates_);
    middle_.state.z = now_.state.z + 0.5 * h_ * rates_;
  }
  return solve_middle() ? Failure::none : Failure::not_finite;
}

// Of the last pass, relative to velocities that the step can tell apart.
double ParkChiou::change() const {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < last_velocity_.size(); ++i) {
    const double size = 1.0 / h_ + std::abs(last_velocity_[i]);
    largest = std::max(largest, std::abs(middle_.state.v[i] - last_velocity_[i]) / size);
  }
  return largest;
}

Failure ParkChiou::iterate(int& passes) {
  middle_.state.t = now_.state.t + 0.5 * h_;
  middle_.a = now_.a;
  middle_.state.z = now_.state.z;
  for (passes = 1;; ++passes) {
    const Failure failure = pass(passes == 1);
    if (failure != Failure::none || passes == options_.passes) return failure;
    if (passes > 1 && change() <= options_.tolerance) return Failure::none;
  }
}

StepReport ParkChiou::step(double h) {
  StepReport report;
  if (rows_left_.revise(now_.state)) rows_left_.regroup(now_.lambda);
  constexpr double largest_turn = 2.5;  // rad, below the half turn that can be told apart
  if (system_.fastest_turn(now_.state) * h > largest_turn) report.failure = Failure::unresolved;
  if (h != h_) {
    middle_forces_.set_half_step(0.5 * h);
    end_forces_.set_half_step(h);
  }
  begin_translations(h);
  h_ = h;
  if (report.ok()) report.failure = iterate(report.iterations);
  const double advance = h - time_carry_;
  if (report.ok()) {
    end_.state.t = now_.state.t + advance;
    end_.lambda = middle_.lambda;
    translate_to_end(end_.state);
    if (sizes_.z > 0) {
      system_.first_order_states()->rates(middle_.state, rates_);
      end_.state.z = now_.state.z + h * rates_;
    }
    if (!rotate_to_end(end_.state) || !solve_end(end_)) report.failure = Failure::not_finite;
  }
  statistics_.iterations += report.iterations;
  statistics_.most_iterations = std::max(statistics_.most_iterations, report.iterations);
  statistics_.factorisations = middle_forces_.factorisations() + end_forces_.factorisations();
  statistics_.residual_evaluations = statistics_.factorisations;
  if (!report.ok()) {
    ++statistics_.failed_steps;
    h_ = 0.0;
    return report;
  }
  x_ = h * middle_.state.v.cwiseQuotient(system_.displacement_scale());
  report.displacement = system::largest(x_);
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
  ++statistics_.steps;
  time_carry_ = (end_.state.t - now_.state.t) - advance;
  half_velocity_ = next_half_velocity_;
  rate_.swap(middle_rate_);
  std::swap(now_, end_);
  rows_left_.make_unique(now_.state, now_.lambda);
  return report;
}

std::size_t ParkChiou::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(3 * (sizes_.q + 2 * sizes_.v + sizes_.z) +
                                                5 * sizes_.v + 4 * sizes_.multipliers());
  return numbers * sizeof(double) + 2 * rate_.capacity() * sizeof(EulerParameters) +
         rows_left_.memory_bytes() + middle_forces_.memory_bytes() + end_forces_.memory_bytes();
}

}  // namespace trammel::integrators
