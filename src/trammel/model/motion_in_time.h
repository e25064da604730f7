// Motions of drives: programs of time alone, and their integrals as tables:
//
//     rate(t) = initial + int_0^t acceleration dt
//
// one from each jump or kink of the acceleration to the next, so that the rate has its kinks where
// they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/expression/table.h"

namespace trammel::model {

/// Whether it reads time, or nothing at all.
bool of_time_alone(const expression::Program& program);

/// The value of such a program.
double at_time(const expression::Program& program, double t, expression::Workspace& work);

using RatePieces = std::vector<std::shared_ptr<const expression::Table>>;

/// From 0 to `until`, extended beyond; each begins where the one before ends. Called name,
/// name_2, ... Behind the 64th switch of the acceleration its jumps are smeared over 1/4096 of the
/// time.
RatePieces rate_over_time(const std::string& name,
                          double initial,
                          double until,
                          const expression::Program& acceleration,
                          expression::Workspace& work);

/// The formula of time that takes each piece in its time.
std::string formula_of(const RatePieces& pieces);

}  // namespace trammel::model
