#include "trammel/analysis/drive_switch.h"

#include <fmt/format.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis {

std::string to_string(const DriveSwitch& change) {
  return fmt::format(
      "from t = {:.6g} s on, drive '{}' prescribes {} in place of {}, with its rate there, "
      "{:.6g} {}/s",
      change.time, change.drive, change.coordinate, change.from, change.rate, change.unit);
}

SwitchedDrives::SwitchedDrives(model::Description description)
    : description_(std::move(description)) {}

void SwitchedDrives::apply(const DriveSwitch& change, model::Description& description) const {
  for (model::Item& drive : description.drives) {
    if (drive.name != change.drive) continue;
    drive.values["coordinate"] = change.coordinate;
    drive.values["motion"] =
        fmt::format("({:.17g} {}) + ({:.17g} {}) * (time - {:.17g} s) / (1 s)", change.value,
                    change.unit, change.rate, change.unit, change.time);
  }
}

std::unique_ptr<model::ModelSystem> SwitchedDrives::compiled(const DriveSwitch& change) const {
  model::Description description = description_;
  apply(change, description);
  return formulation::compile_model(std::move(description), formulation::HingeDrives::rows).system;
}

model::ModelSystem* SwitchedDrives::change(model::ModelSystem& system,
                                           const system::Motion& motion,
                                           const std::vector<std::string>& inputs,
                                           DriveSwitch& change) {
  Observer observer(system);
  const std::vector<double> values = observer.observe(motion);
  std::unique_ptr<model::ModelSystem> best;
  double largest = 0.0;
  for (const model::Item& drive : description_.drives) {
    if (drive.type != "position") continue;
    for (const std::string& input : inputs) {
      const NamedCoordinate& coordinate = observer.find(input);
      const DriveSwitch candidate{motion.state.t,
                                  drive.name,
                                  model::text(drive.values, "coordinate"),
                                  input,
                                  coordinate.unit,
                                  values[coordinate.value],
                                  values[coordinate.rate]};
      if (candidate.from == input) continue;
      auto next = compiled(candidate);
      next->counted_angles() = system.counted_angles();
      next->accept(motion.state);
      const Subspaces spaces =
          subspaces(constraint_jacobian(*next, motion.state), next->displacement_scale());
      if (spaces.rank < next->sizes().v || spaces.smallest() <= largest) continue;
      largest = spaces.smallest();
      best = std::move(next);
      change = candidate;
    }
  }
  if (best == nullptr) return nullptr;
  apply(change, description_);
  systems_.push_back(std::move(best));
  return systems_.back().get();
}

}  // namespace trammel::analysis
