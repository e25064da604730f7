// How dry friction with `stick: event` acts between two events.
//
//     forward, backward   it slides along +x or -x: the load is -r N mu(|s|) or +r N mu(|s|), with
//                         this sign whatever the rate, so that the equations are smooth
//     sticking            the row x - x_held = 0 holds; its multiplier is the load, load = -lambda
//     held                at rest because other rows hold it: no load, no row
//     smoothed            the regularised law; the row is open
//
// Open rows stay in the equations as multipliers that are zero. The model does what it is told;
// analysis/stick_slip.h decides at events. Without anybody who decides, friction is smoothed.
#pragma once

#include <string>

namespace trammel::model {

enum class Slip { smoothed, forward, backward, sticking, held };

inline bool slides(Slip slip) {
  return slip == Slip::forward || slip == Slip::backward;
}

/// +1, -1, or 0 where it does not slide.
inline double direction(Slip slip) {
  return slip == Slip::forward ? 1.0 : slip == Slip::backward ? -1.0 : 0.0;
}

/// The row by which a friction may stick.
struct StickRow {
  std::string name;        ///< of the friction
  int row = 0;             ///< among the multipliers
  std::size_t number = 0;  ///< by which the model knows the friction
  double scale = 1.0;      ///< a typical size of its coordinate: length of the model, m, or 1 rad
};

/// What decides about a friction, at a motion.
struct SlipPlace {
  double rate = 0.0;          ///< x', m/s or rad/s
  double acceleration = 0.0;  ///< x''
  double limit = 0.0;         ///< the largest load with which it can stick, r mu_s N, N or N m
};

}  // namespace trammel::model
