// How accurate a run is, from a second one.
//
// The same motion is integrated again with twice the step, or with a tenth of the tolerance where
// the method chooses its steps. With r times the step of a method of order p, and an error e(t) of
// the run that is small enough for the motion to magnify it as it magnifies e r^p,
//
//     q_1 = q + e,   q_2 = q + r^p e   =>   |e| = |q_2 - q_1| / (r^p - 1)
//
// [Hairer, Norsett & Wanner 1993, sec. II.4]. Errors of methods that choose their steps do not
// follow the tolerance that well: their second run is the more accurate one, so that the difference
// is the error itself, and the ratio R of the two sums of local errors corrects it by R/(R - 1)
// only. What the motion makes of errors is in the difference, which no sum of local errors sees. No
// estimate is below what round-off makes of the positions in so many steps
// (system/position_measure.h). Differences too large for that reasoning, and second runs that fail
// or take the same steps, give no estimate, and the reason. Where twice the step would turn counted
// angles too far to tell whole turns apart, the second run takes half the step; and so it does
// where steps were cut at switches in time (system/time_switches.h): twice the step would be cut to
// the same pieces. Every step and every piece is then taken in two.
//
// Positions are measured in model sizes. Bodies that travel far beyond the model (a satellite) are
// judged by their way.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/output_grid.h"
#include "trammel/analysis/watch.h"
#include "trammel/integrators/integrator.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// Whether a second run is made.
enum class SecondRun {
  never,
  when_cheap,  ///< when the first was short (cheap())
  always
};

/// Where a run was, at no more than some sixty of its output times.
class MotionTrail {
 public:
  struct Sample {
    double time = 0.0;
    long steps = 0;  ///< of the run since the last sample
    system::Vector q;
  };

  MotionTrail() = default;
  explicit MotionTrail(const OutputGrid& grid);

  /// At the start and at every output time; `steps` nominal ones after the last of these.
  void add(const system::State& state, long steps);
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::vector<Sample> samples_;
  long outputs_ = 0;
  long stride_ = 0;  ///< output times per sample; 0: none are kept
  long count_ = 0;
  long steps_ = 0;
};

struct ErrorEstimate {
  bool known = false;
  double position = 0.0;    ///< largest at the samples, rad or model sizes
  double time = 0.0;        ///< of the largest, s
  double difference = 0.0;  ///< largest between the two runs
  /// Both times this are parts of the way that bodies travelled, where that is longer than the
  /// model: what they are judged by.
  double per_way = 1.0;
  double way = 0.0;    ///< the longest of any component from the start, rad or model sizes
  std::string origin;  ///< "a second run with twice the step"
  std::string reason;  ///< why there is none
};

/// "about 2.1e-05 rad or model sizes in positions (from ...)", or "no estimate: ...".
std::string to_string(const ErrorEstimate& estimate);

/// Is a second run a matter of a few seconds?
bool cheap(const system::Sizes& sizes, const integrators::Statistics& statistics);

/// What the first run was.
struct FirstRun {
  const model::SimulationSettings& settings;  ///< with the method resolved
  const system::Motion& start;
  const MotionTrail& trail;
  const integrators::Integrator& integrator;
};

/// Runs again on a system of its own, compiled like that of the first run and not used before.
ErrorEstimate estimate_error(model::ModelSystem& system,
                             const FirstRun& first,
                             const EarlyEnd& end);

}  // namespace trammel::analysis
