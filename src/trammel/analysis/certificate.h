// A run with an error band for every channel: how many digits of each can be trusted, and until
// when.
//
// The same motion is integrated three times: as asked (y_1), coarser (y_2: twice the step, or ten
// times the tolerance) and finer (y_0: half the step, a thirtieth of the tolerance), on the same
// grid of output times. With the largest differences so far of one channel,
//
//     D_2 = max |y_2 - y_1|,   D_0 = max |y_1 - y_0|,   R = D_2/D_0,
//
// errors that shrink regularly shrink by r = R from each run to the next, so that the error of y_1
// is D_0 r/(r - 1) [Hairer, Norsett & Wanner 1993, sec. II.4]; no method is believed to do better
// than its order (r <= 2^p; errors follow tolerances loosely: r <= 3). D_2 tells the error as well,
// D_2/(2^p - 1), or a ninth of it for tolerances: where D_0 is small by chance, the larger of the
// two counts, up to five times the other. Where errors do not shrink (R < 1.5), nothing is
// extrapolated: the error is taken to be three times the largest difference. The band is 1.5 times
// that error, and never below round-off. What the motion makes of errors is in the differences: on
// a chaotic motion bands grow like the errors until nothing is left to claim. What switches in time
// and events leave of steps is halved in the finer run, too: pieces that end before the middle of a
// step would else be the same in all three.
//
// Digits are those of the largest value of a channel, or of one of its companions (the other
// components of a vector), in the whole run. What is below a millionth of the largest value with
// the same unit counts as zero, and is judged by that.
//
// The three runs go on side by side, and bands are written as channels of their own, NAME.band, as
// the run goes on. On one core this takes about three and a half times as long as the run alone.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis {

struct ChannelClaim {
  std::string name;
  std::string unit;
  double band = 0.0;   ///< at the end
  double scale = 0.0;  ///< largest value in the run, of the channel or its companions
  int digits = 0;      ///< at the end
  double until = 0.0;  ///< the last time with a digit at least, s
};

struct Certificate {
  std::vector<ChannelClaim> channels;
  double end = 0.0;      ///< of the run, s
  int digits = 0;        ///< that all channels have until `until`
  double until = 0.0;    ///< s
  double nothing = 0.0;  ///< from then on some channel has no digit, s; `end` when all have one
  std::vector<std::string>
      without;          ///< few channels without a digit, of which nothing is said here
  std::string weakest;  ///< the channel that limits `digits`
  std::string how;      ///< "a run with twice the step and one with half of it"
  std::string trouble;  ///< why there is none, or none from some time on; else empty
};

/// "all channels: 4 digits or better until 2.31 s (weakest: ...); nothing can be claimed from ...".
std::string to_string(const Certificate& certificate);
/// The channels with the fewest digits: "4 digits: pin.reaction.force.x, +- 2.1e-05 N at the end".
std::vector<std::string> weakest_channels(const Certificate& certificate, std::size_t most = 5);

/// Like simulate(), which see; the sink gets the bands besides. The second run of the options is
/// made as well, if it is asked for.
SimulationReport simulate_certified(model::ModelSystem& system,
                                    const model::SimulationSettings& settings,
                                    const SimulationOptions& options,
                                    Certificate& certificate);

}  // namespace trammel::analysis
