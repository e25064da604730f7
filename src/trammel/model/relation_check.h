// What a formula must be to serve as a constraint row.
#pragma once

#include "trammel/core/diagnostic.h"
#include "trammel/model/relation.h"

namespace trammel::model {

/// It reads a coordinate (or a rate, at velocity level), no state, and a drive only time besides;
/// the position that a drive prescribes does not jump until the end of the run, and an angle does
/// not come to where it is singular. False and reported
/// otherwise. Kinks are warned of.
template <class S>
bool check_relation(const Formula<S>& formula,
                    RelationLevel level,
                    const std::string& path,
                    bool drive,
                    double until,
                    core::Diagnostics& diagnostics);

/// Second derivatives by rates vanish, tried at random places; false and reported otherwise.
template <class S>
bool check_linear_in_rates(const Formula<S>& formula,
                           const std::string& path,
                           FormulaWorkspace<S>& work,
                           core::Diagnostics& diagnostics);

}  // namespace trammel::model
