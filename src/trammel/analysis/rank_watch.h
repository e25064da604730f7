// Tells where the joints of kinematic connections come to depend on each other on the way
// (model/connection_watch.h).
#pragma once

#include <string>
#include <vector>

#include "trammel/model/connection_watch.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class RankWatch {
 public:
  explicit RankWatch(model::ModelSystem& system);

  /// After every step.
  void follow(const system::State& state);
  /// What is near to a change of rank at a state, in words; empty where nothing is.
  std::string trouble(const system::State& state) const;
  /// One for each time that a connection came near to it, with the nearest place.
  std::vector<std::string> notes() const;

 private:
  struct Visit {
    std::string connection;
    double share = 1.0;
    double time = 0.0;
    bool open = true;
  };

  model::ConnectionWatch* watch_;
  std::vector<Visit> visits_;
};

}  // namespace trammel::analysis
