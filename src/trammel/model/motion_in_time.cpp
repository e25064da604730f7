#include "trammel/model/motion_in_time.h"

#include <cmath>
#include <vector>

namespace trammel::model {

bool of_time_alone(const expression::Program& program) {
  return program.inputs().size() <= (program.time_input() ? 1U : 0U);
}

double at_time(const expression::Program& program, double t, expression::Workspace& work) {
  return program.value({&t, program.inputs().size()}, work);
}

std::shared_ptr<const expression::Table> rate_over_time(const std::string& name,
                                                        double initial,
                                                        double until,
                                                        const expression::Program& acceleration,
                                                        expression::Workspace& work) {
  const auto value = [&](double t) { return at_time(acceleration, t, work); };
  constexpr int points = 4097;
  const double h = until / (points - 1);
  std::vector<double> x;
  std::vector<double> y{initial};
  for (int i = 0; i < points; ++i) x.push_back(i == points - 1 ? until : i * h);
  for (std::size_t i = 1; i < x.size(); ++i) {
    // Gauss with three points on each interval.
    const double middle = 0.5 * (x[i] + x[i - 1]);
    const double side = 0.5 * h * std::sqrt(0.6);
    y.push_back(
        y.back() +
        h / 18.0 * (5.0 * value(middle - side) + 8.0 * value(middle) + 5.0 * value(middle + side)));
  }
  return std::make_shared<expression::Table>(
      name, std::move(x), std::move(y),
      expression::TableOptions{.extrapolation = expression::Extrapolation::extend,
                               .first_slope = value(0.0),
                               .last_slope = value(until)});
}

}  // namespace trammel::model
