// Motions of drives: programs of time alone, and the integral of an acceleration,
//
//     rate(t) = initial + int_0^t acceleration dt
//
// to round-off, at any time. Time is divided into panels over which Gauss' rule with eight points
// agrees with that of their halves; panels end where the acceleration jumps or has a kink. A rate
// is that at the beginning of its panel and Gauss' rule from there, so that its derivative is the
// acceleration itself. Panels are made as far as somebody asks.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/expression/switches.h"
#include "trammel/expression/user_function.h"

namespace trammel::model {

/// Whether it reads time, or nothing at all.
bool of_time_alone(const expression::Program& program);

/// The value of such a program.
double at_time(const expression::Program& program, double t, expression::Workspace& work);

/// May be asked by several threads.
class RateOverTime {
 public:
  /// `length`: of the time that matters; panels are no longer than 1/512 of it.
  RateOverTime(double initial,
               double length,
               std::shared_ptr<const expression::Program> acceleration);

  /// Before t = 0 with the acceleration of that time. NaN where the acceleration is not finite
  /// before, or changes so fast that a million panels do not reach that far.
  double rate(double t) const;
  double acceleration(double t) const;
  double slope_of_acceleration(double t) const;

 private:
  struct Panel {
    double begin = 0.0;
    double rate = 0.0;
  };
  struct Integral {
    double value = 0.0;
    double magnitude = 0.0;  ///< of the absolute value
  };
  Integral gauss(double begin, double end) const;
  double next_border() const;
  /// Where the next one begins, and by how much the rate changes until then.
  Panel next_panel() const;
  void grow(double t) const;

  double initial_;
  std::shared_ptr<const expression::Program> acceleration_;
  expression::Switches switches_;
  double longest_;
  mutable std::mutex growing_;
  mutable std::vector<Panel> panels_;  ///< ascending; the last one is begun
  mutable double border_ = 0.0;        ///< where the acceleration is next not smooth
  mutable double last_length_;         ///< of a panel
  mutable double carry_ = 0.0;         ///< of the sum of rates
  mutable double largest_ = 0.0;       ///< |rate| so far
};

/// f(time, acceleration): the rate. The second argument says where the acceleration is not smooth,
/// and nothing else.
std::shared_ptr<const expression::UserFunction> rate_function(
    std::string name, const std::shared_ptr<const RateOverTime>& rate);

}  // namespace trammel::model
