// Tells where constraints come to depend on each other on the way: all rows of the model, and the
// joints inside kinematic connections (model/connection_watch.h).
//
// The least singular value s of the rows (constraint_handling/least_singular_value.h) costs about a
// Newton iteration, so that it is not taken after every step: only where the motion has gone so far
// since, in radians and model sizes, that with the slope it had s could have lost a third of
// itself. Near zero that is every step, far from it every tenth of a radian or so. Models without
// loops and redundant rows cost nothing.
#pragma once

#include <string>
#include <vector>

#include "trammel/constraint_handling/least_singular_value.h"
#include "trammel/model/connection_watch.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class RankWatch {
 public:
  explicit RankWatch(model::ModelSystem& system);

  /// After every step, and at the start.
  void follow(const system::State& state);
  /// What is near to a change of rank at a state, in words; empty where nothing is.
  std::string trouble(const system::State& state) const;
  /// One for each time that the rows, or those of a connection, came near to it, with the nearest
  /// place.
  std::vector<std::string> notes() const;
  /// How often s was computed.
  long samples() const { return samples_; }

 private:
  struct Visit {
    std::string connection;
    double share = 1.0;
    double time = 0.0;
    bool open = true;
  };
  /// Of all rows.
  struct Approach {
    double share = 1.0;  ///< of the largest s met; 0: s passed zero
    double time = 0.0;
    std::vector<std::string> joints;
    bool open = true;
  };

  void follow_connections(const system::State& state);
  void follow_rows(const system::State& state);
  bool far_enough(const system::State& state);
  void judge(const constraint_handling::LeastSingularValue::Place& place,
             const system::State& state);
  std::vector<std::string> joints_involved() const;

  model::ModelSystem& system_;
  model::ConnectionWatch* watch_;
  constraint_handling::LeastSingularValue least_;
  std::vector<Visit> visits_;
  std::vector<Approach> approaches_;
  bool begun_ = false;
  double value_ = 1.0;
  double largest_ = 0.0;
  double slope_ = 0.0;  ///< of s, per radian or model size
  double path_ = 0.0;   ///< since s was taken
  double speed_ = 0.0;
  double step_time_ = 0.0;    ///< of the last step
  double sample_time_ = 0.0;  ///< where s was taken
  long samples_ = 0;
  long steps_ = 0;
};

}  // namespace trammel::analysis
