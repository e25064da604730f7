/// The benchmark mechanisms in Simbody: trees of pin mobilizers (joint angles are the coordinates),
/// loops closed by "point on line" constraints, which are exactly the two rows of a planar hinge.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include <Simbody.h>

namespace peers {

/// A Simbody system with its start and the values it is compared by.
struct SimbodyMechanism {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::Gravity weight;
  std::vector<SimTK::MobilizedBody> bodies;  ///< in the order they were added
  SimTK::State start;

  SimbodyMechanism();
  SimbodyMechanism(const SimbodyMechanism&) = delete;
  SimbodyMechanism& operator=(const SimbodyMechanism&) = delete;
};

/// Builds a case; `forward` is the chain.
std::unique_ptr<SimbodyMechanism> make_simbody_mechanism(const Arguments& arguments);

/// The values a case is compared by, at a state (realized to Velocity here).
std::vector<std::pair<std::string, double>> final_values(const Arguments& arguments,
                                                         const SimbodyMechanism& mechanism,
                                                         const SimTK::State& state);

}  // namespace peers
