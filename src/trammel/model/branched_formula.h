// A formula whose conditions on the motion are branches of the mechanism, see
// expression/branches.h.
#pragma once

#include <string>

#include "trammel/model/mechanism.h"

namespace trammel::model {

/// The formula itself when it has no such conditions. `name` tells whose it is: "the force 'kick'".
template <class S>
Formula<S> branched_formula(const Formula<S>& plain,
                            const std::string& name,
                            Mechanism<S>& mechanism) {
  expression::BranchedProgram branched = expression::with_branches(plain.shared_program());
  if (branched.branches.empty()) return plain;
  std::vector<Measure<S>> inputs = plain.inputs();
  const int first = mechanism.branch_count;
  for (std::size_t i = 0; i < branched.branches.size(); ++i) {
    Measure<S> branch;
    branch.kind = Measure<S>::Kind::branch;
    branch.index = mechanism.branch_count++;
    branch.dimension = core::dimension::none;
    inputs.push_back(branch);
  }
  Formula<S> formula(branched.program, std::move(inputs));
  mechanism.branched.push_back({name, formula, std::move(branched.branches), first});
  return formula;
}

}  // namespace trammel::model
