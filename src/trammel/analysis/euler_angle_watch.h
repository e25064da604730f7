// Tells where Euler and Bryant angles (model/euler_coordinate.h) of joints and sensors come near to
// their singularity on the way: by name, with the time, and with what to do.
//
// Angles that are only read jump there. Where a drive or a coupling holds them, the motion itself
// cannot be followed further, and that is told before it is reached.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/model_system.h"

namespace trammel::formulation {
class RelativeModel;
}
namespace trammel::model {
class EulerCoordinate;
struct Spatial;
template <class S>
struct Mechanism;
}  // namespace trammel::model

namespace trammel::analysis {

class EulerAngleWatch {
 public:
  explicit EulerAngleWatch(model::ModelSystem& system);

  /// At the start and after every step; looks where the motion has gone far enough since.
  void follow(const system::Motion& motion);
  /// The nearest approach of each set of angles that came near.
  std::vector<std::string> notes() const;
  /// Why a motion cannot go on from where it was last looked at, and what to do; empty where angles
  /// have no part in it.
  struct Trouble {
    std::string what;
    std::string remedy;
  };
  Trouble trouble(const system::Motion& motion);

 private:
  /// Of a joint or sensor.
  struct Angles {
    std::string name;
    std::string sequence;  ///< "xyz"
    /// A drive or coupling reads one of them: the motion depends on them.
    bool held = false;
    const model::EulerCoordinate* angle = nullptr;  ///< one of the three
    int node_a = 0;
    int node_b = 0;
    double distance = 0.0;  ///< of the second angle from its singular value now, rad
    double nearest = 4.0;   ///< so far
    double nearest_time = 0.0;
  };

  void find();
  bool near(const Angles& angles, double distance) const;
  void look(const system::Motion& motion);

  const model::Mechanism<model::Spatial>* mechanism_ = nullptr;  ///< null: there are none
  formulation::RelativeModel* relative_;                         ///< null: in absolute coordinates
  const system::Vector& scale_;
  std::vector<Angles> angles_;
  bool looked_ = false;
  double distance_ = 0.0;  ///< of the nearest when last looked at, rad
  double path_ = 0.0;      ///< since then, rad at most
  double time_ = 0.0;
};

}  // namespace trammel::analysis
