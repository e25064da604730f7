// A rarer need of whoever runs an integrator: why its steps fail, and what to try, where the method
// knows that better than its failures tell.
#pragma once

#include <string>

namespace trammel::integrators {

struct FailureAdvice {
  std::string reason;  ///< empty: nothing in particular
  std::string remedy;
};

/// Implemented by integrators beside their own interface.
class FailureAdvisor {
 public:
  virtual ~FailureAdvisor() = default;
  virtual FailureAdvice advice() const = 0;
};

}  // namespace trammel::integrators
