// How a run behaved, in the words of [Huang2014, ch. 5]:
//
//     fails       a step did not converge, or a number is not finite
//     drifts      position constraints are violated by more than a part of the model's size
//     oscillates  accelerations or reactions alternate from step to step, by no cause but the
//     method stable      none of these
//
// A saw-tooth (-1)^n A on a signal x shows in its third difference
//
//     d_n = (x_{n+3} - 3 x_{n+2} + 3 x_{n+1} - x_n) / 8,
//
// which is (-1)^n A for a pure saw-tooth and h^3 x'''/8 for a smooth signal. Its amplitude is the
// least |d| among six in a row that change sign every time: a sharp peak of the motion itself
// changes sign a few times only.
#pragma once

#include <array>
#include <string>

#include "trammel/system/state.h"

namespace trammel::analysis::comparison {

enum class Verdict { stable, oscillates, drifts, fails };

/// "stable", "oscillates", "drifts" or "fails".
std::string to_string(Verdict verdict);
/// Inverse; anything else is a failure.
Verdict verdict_from_string(const std::string& text);

/// Parts of something, above which a run gets its name.
struct Limits {
  double drift = 1e-3;       ///< position constraints, over the model's size
  double saw_tooth = 0.025;  ///< saw-tooth, over the range of the signal
  double growing = 0.005;    ///< the same for a saw-tooth that grew tenfold during the run
};

/// Watches a signal, one vector per step.
class SawToothWatch {
 public:
  /// `steps`: how many are expected, to tell the first fifth from the last.
  explicit SawToothWatch(long steps) : steps_(steps) {}

  void add(const system::Vector& x);

  /// Largest amplitude over the largest range of a component.
  double relative() const;
  /// Did it grow tenfold from the first fifth of the run to the last?
  bool grew() const;
  bool oscillates(const Limits& limits) const;

 private:
  double amplitude() const;

  long steps_;
  long count_ = 0;
  std::array<system::Vector, 4> last_;         ///< values
  std::array<system::Vector, 6> differences_;  ///< third differences
  system::Vector low_;
  system::Vector high_;
  double largest_ = 0.0;
  double first_fifth_ = 0.0;
  double last_fifth_ = 0.0;
};

}  // namespace trammel::analysis::comparison
