// Motions of drives: programs of time alone, and their integrals as tables:
//
//     rate(t) = initial + int_0^t acceleration dt
#pragma once

#include <memory>
#include <string>

#include "trammel/expression/program.h"
#include "trammel/expression/table.h"

namespace trammel::model {

/// Whether it reads time, or nothing at all.
bool of_time_alone(const expression::Program& program);

/// The value of such a program.
double at_time(const expression::Program& program, double t, expression::Workspace& work);

/// From 0 to `until`, extended beyond.
std::shared_ptr<const expression::Table> rate_over_time(const std::string& name,
                                                        double initial,
                                                        double until,
                                                        const expression::Program& acceleration,
                                                        expression::Workspace& work);

}  // namespace trammel::model
