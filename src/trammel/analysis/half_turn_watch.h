// Bushings in space that pass half a turn on the way.
//
// Their rotation vector theta is that of the shortest turn. At half a turn it jumps to the opposite
// one, theta to theta - 2 pi theta/|theta|, and the torque with it. It cannot be continued as an
// angle about one axis can: near a whole turn the axis of theta is not defined, and what is counted
// would depend on the way there.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/verdict.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class HalfTurnWatch {
 public:
  explicit HalfTurnWatch(model::ModelSystem& system);

  /// After every step.
  void follow(const system::Motion& motion);
  /// One for every bushing that passed half a turn, with the first time.
  std::vector<Doubt> doubts() const;

 private:
  struct Watched {
    std::string name;
    std::size_t channel = 0;  ///< of the first component
    Eigen::Vector3d theta = Eigen::Vector3d::Zero();
    Eigen::Vector3d torque = Eigen::Vector3d::Zero();
    int jumps = 0;
    double first_time = 0.0;  ///< s
  };

  model::ModelSystem& system_;
  std::vector<Watched> watched_;
  std::vector<double> values_;
};

}  // namespace trammel::analysis
