// The longest step that an explicit method bears, from the fastest oscillation and decay that the
// present forces can make of a motion:
//
//     w^2 = max x . K x / x . M x,    c = max x . D x / x . M x     over G x = 0,
//
// with K = dr/dq and D = dr/dv of the residual r, symmetric or not, by power iteration,
// x <- M^-1 K x with reactions that keep G x = 0. D is the mean of those at v and at -v: what is
// odd in the velocities (gyroscopic and Coriolis forces) makes nothing decay. The quotients come
// from below; the vector is kept, so that a few iterations do when the motion has gone on.
#pragma once

#include <functional>

#include "trammel/system/mechanical_system.h"

namespace trammel::integrators {

class StepLimit {
 public:
  /// x of r: M x + G^T mu = r, G x = 0.
  using Accelerate = std::function<void(const system::Vector& r, system::Vector& x)>;

  explicit StepLimit(system::MechanicalSystem& system);

  /// At a motion. Allocates nothing after the first call.
  void look(const system::Motion& motion, const Accelerate& accelerate);

  double frequency() const { return frequency_; }  ///< w, rad/s
  double decay() const { return decay_; }          ///< c, 1/s
  std::size_t memory_bytes() const;

 private:
  /// Of the matrix as it is.
  double quotient(const Accelerate& accelerate, system::Vector& x);

  system::MechanicalSystem& system_;
  int velocities_;
  system::KktMatrix matrix_;
  system::KktMatrix matrix_of_reverse_;
  system::Motion reverse_;  ///< the motion with -v
  system::Vector frequency_vector_;
  system::Vector decay_vector_;
  system::Vector full_;  ///< x with zeros for multipliers
  system::Vector product_;
  system::Vector r_;
  system::Vector last_r_;
  double frequency_ = 0.0;
  double decay_ = 0.0;
  bool looked_ = false;
};

}  // namespace trammel::integrators
