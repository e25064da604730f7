// What to doubt about a run that came to its end.
//
// Every run leaves evidence: the balance of its energy, the residuals of its constraints, how well
// its steps foresaw the motion, and what a second run with lower accuracy differed by. Numbers
// beyond the limits below become doubts: warnings that say which number to distrust and what to
// try. A healthy run has none. docs/trust.md explains every limit.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/companion.h"

namespace trammel::analysis {

/// Parts of something, above which a run is doubted.
struct DoubtLimits {
  /// Numerical loss or gain, of the energy that was exchanged. The examples stay below 1e-3.
  double loss = 0.01;
  /// The same where the motion was found accurate and the steps pass over oscillations that the
  /// method is there to damp.
  double damped_loss = 0.5;
  /// Position constraints, of the model's size: what can be seen in a picture.
  double position = 1e-3;
  /// The same where rows are redundant: those left out follow from the others only as long as
  /// positions fulfil them, and velocities are wrong by some times as much.
  double position_with_redundant_rows = 5e-5;
  /// Velocity constraints, of the largest velocity.
  double velocity = 0.02;
  /// What displacements differ by from their extrapolation, on the average: about fifteen steps per
  /// period, where a method of second order is late by a tenth of a radian in each. Asked where no
  /// second run was made.
  double misprediction = 0.02;
  /// Estimated error of positions, rad or model sizes: three degrees.
  double error = 0.05;
  /// The same as a part of the longest way that anything went: small oscillations may be wrong
  /// altogether and far below three degrees. Not asked of what hardly moves.
  double share_of_way = 0.1;
  double least_way = 1e-6;  ///< rad or model sizes
};

/// What a run shows about itself. Zeros where nothing is known.
struct Evidence {
  std::string integrator;  ///< its name: remedies are settings that it has
  bool adaptive = false;
  bool damps = false;           ///< the method dissipates oscillations faster than its steps
  double step = 0.0;            ///< s; of adaptive methods the mean
  double exchanged = 0.0;       ///< energy, J
  double lack = 0.0;            ///< the largest numerical loss, or (negative) gain, J
  double time_of_lack = 0.0;    ///< s
  double loads = 0.0;           ///< sum of |f| over the displacement scale at the end, J
  double largest_energy = 0.0;  ///< |kinetic| + |potential|, J: below its round-off nothing is lost
  double position_error = 0.0;  ///< largest |g|
  std::size_t redundant = 0;    ///< constraint rows
  double size = 0.0;            ///< of the model, m
  double velocity_error = 0.0;  ///< largest |G v + g_t|
  double speed = 0.0;           ///< largest |v|, m/s or rad/s
  double mispredicted = 0.0;    ///< share of displacements
  double fastest_rate = 0.0;    ///< rad/s or 1/s
  ErrorEstimate estimate;
};

/// One reason to distrust a run.
struct Doubt {
  std::string number;   ///< which one: "energy", "constraints", "steps", "accuracy", "numbers"
  std::string message;  ///< what was seen, against which limit
  std::string remedy;   ///< what to try
};

/// "energy: 3.4 of 4.9 J ... ; try ..."
std::string to_string(const Doubt& doubt);

/// Empty for a healthy run.
std::vector<Doubt> judge(const Evidence& evidence, const DoubtLimits& limits = {});

/// Would the fastest rate matter to judge()? It is costly to find.
bool wants_fastest_rate(const Evidence& evidence, const DoubtLimits& limits = {});

}  // namespace trammel::analysis
