// Beyond a dead centre with another input [Sol1983, sec. 8.2 and 8.3].
//
// At a dead centre the driven coordinate has come to the end of its range: no position of the
// mechanism gives it the next value, but the mechanism itself is regular and can go on. Then a
// suitable coordinate is prescribed in place of the driven one, from the last regular position on,
// with the rate that it has there:
//
//     c(t) = c_0 + c_0' (t - t_0)
//
// The motion stays on its smooth branch: crank and coupler pass the line, the rocker turns back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct DriveSwitch {
  double time = 0.0;
  std::string drive;       ///< which keeps its name
  std::string from;        ///< coordinates
  std::string coordinate;  ///< prescribed from now on
  std::string unit;
  double value = 0.0;
  double rate = 0.0;
};

/// "from t = 2.92 s on, drive 'motor' prescribes b.angle in place of rocker.angle, ..."
std::string to_string(const DriveSwitch& change);

/// Compiles a model anew with drives of other coordinates, and keeps what was compiled.
class SwitchedDrives {
 public:
  explicit SwitchedDrives(model::Description description);

  /// The change at a regular motion near a dead centre: of all drives of positions and all proposed
  /// `inputs` the pair that leaves the constraints farthest from singular. Returns the new system,
  /// null when no pair does, and tells the change.
  model::ModelSystem* change(model::ModelSystem& system,
                             const system::Motion& motion,
                             const std::vector<std::string>& inputs,
                             DriveSwitch& change);

 private:
  std::unique_ptr<model::ModelSystem> compiled(const DriveSwitch& change) const;
  void apply(const DriveSwitch& change, model::Description& description) const;

  model::Description description_;
  std::vector<std::unique_ptr<model::ModelSystem>> systems_;
};

}  // namespace trammel::analysis
