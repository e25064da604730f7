// What a tolerance alone chooses: a method that takes steps of its own.
//
// Two rates decide: that of the motion, u, in model sizes or radians per second, and that of the
// fastest oscillation or decay that forces and constraints allow, w. Steps of an explicit method of
// order 5 that follow the motion to a tolerance e are about e^(1/5)/u long, and have to be below
// 3/w to be stable. Where w asks for steps that are a quarter of those, the model is stiff.
//
//     stiff                         bdf; radau where e < 1e-6 or events start it anew, but not in
//                                   relative coordinates
//     not stiff, e >= 1e-6          dormand-prince
//     not stiff, sharper            adams, or dormand-prince where events start it anew
#pragma once

#include "trammel/analysis/auto_method.h"

namespace trammel::analysis {

/// True when an integrator chooses its own steps once it has a tolerance.
bool takes_tolerance(const std::string& integrator);

/// Gives a method that takes one its tolerance, relative and absolute; what the settings say of
/// either is replaced.
void set_tolerance(model::SimulationSettings& settings, double tolerance);

/// That of `auto`; 0: none, a method for the step is wanted.
double tolerance_of(const model::SimulationSettings& settings);

/// What the choice looks at.
struct MotionRates {
  double motion = 0.0;    ///< u at the start, or what accelerations make of it
  double fastest = 0.0;   ///< w at the start
  bool events = false;    ///< contacts, frictions that stick, conditions on the motion
  bool relative = false;  ///< relative coordinates, in which steps of radau may collapse
};

MotionRates motion_rates(model::ModelSystem& system, const system::Motion& motion);

/// The rules, with a sentence that says why. For the goal `stability` implicit methods.
MethodChoice choose_by_tolerance(const MotionRates& rates,
                                 Goal goal,
                                 const model::SimulationSettings& settings,
                                 double tolerance);

}  // namespace trammel::analysis
