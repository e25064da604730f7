#include "trammel/linear/solver_scope.h"

#include <algorithm>

namespace trammel::linear {
namespace {

thread_local SolverScope* innermost_scope = nullptr;

}  // namespace

SolverScope::SolverScope(Team team) : outer_(innermost_scope), team_(std::move(team)) {
  innermost_scope = this;
}

SolverScope::~SolverScope() {
  innermost_scope = outer_;
}

SolverScope* SolverScope::current() {
  return innermost_scope;
}

IterationCount SolverScope::iterations() const {
  IterationCount sum;
  for (const auto& count : counts_) {
    sum.solutions += count->solutions;
    sum.iterations += count->iterations;
    sum.most = std::max(sum.most, count->most);
    sum.unfinished += count->unfinished;
    sum.direct += count->direct;
    sum.groups = std::max(sum.groups, count->groups);
    sum.rows = std::max(sum.rows, count->rows);
    sum.gathered = sum.gathered || count->gathered;
  }
  return sum;
}

}  // namespace trammel::linear
