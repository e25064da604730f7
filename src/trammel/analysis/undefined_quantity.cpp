#include "trammel/analysis/undefined_quantity.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace trammel::analysis {

std::string undefined_quantity(model::ModelSystem& system, system::Motion motion, double h) {
  motion.state.t += h;
  const system::Vector x = h * motion.state.v;
  system.retract(motion.state.q, x, motion.state.q);
  const std::vector<model::Quantity> names = system.observables();
  if (system::FirstOrderStates* states = system.first_order_states()) {
    system::Vector rates;
    states->rates(motion.state, rates);
    Eigen::Index next = 0;
    for (const model::Quantity& quantity : names) {
      if (quantity.description != "first-order state") continue;
      if (!std::isfinite(rates[next++])) {
        return fmt::format("the rate of the state '{}'", quantity.name);
      }
    }
  }
  std::vector<double> values(names.size());
  system.observe(motion, values.data());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isfinite(values[i])) return fmt::format("'{}'", names[i].name);
  }
  return {};
}

}  // namespace trammel::analysis
