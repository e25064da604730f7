#include "trammel/model/motion_in_time.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/expression/switches.h"

namespace trammel::model {
namespace {

// Where the acceleration is not smooth, between the start and `until`, which comes last.
std::vector<double> ends_of_pieces(const expression::Program& acceleration,
                                   double until,
                                   expression::Workspace& work) {
  constexpr std::size_t most = 64;
  const expression::Switches switches(acceleration, "time");
  std::vector<double> ends;
  double t = 0.0;
  while (!switches.empty() && ends.size() < most) {
    t = switches.next(t, until, work).x;
    if (!(t < until)) break;
    ends.push_back(t);
  }
  ends.push_back(until);
  return ends;
}

}  // namespace

bool of_time_alone(const expression::Program& program) {
  return program.inputs().size() <= (program.time_input() ? 1U : 0U);
}

double at_time(const expression::Program& program, double t, expression::Workspace& work) {
  return program.value({&t, program.inputs().size()}, work);
}

RatePieces rate_over_time(const std::string& name,
                          double initial,
                          double until,
                          const expression::Program& acceleration,
                          expression::Workspace& work) {
  const auto value = [&](double t) { return at_time(acceleration, t, work); };
  RatePieces pieces;
  double begin = 0.0;
  double rate = initial;
  for (const double end : ends_of_pieces(acceleration, until, work)) {
    constexpr double all = 4096.0;
    constexpr double least = 32.0;
    const double length = end - begin;
    const int intervals = static_cast<int>(std::max(least, std::ceil(all * length / until)));
    const double h = length / intervals;
    std::vector<double> x{begin};
    std::vector<double> y{rate};
    for (int i = 1; i <= intervals; ++i) {
      x.push_back(i == intervals ? end : begin + i * h);
      // Gauss with three points on each interval.
      const double middle = begin + (i - 0.5) * h;
      const double side = 0.5 * h * std::sqrt(0.6);
      const double sum =
          5.0 * value(middle - side) + 8.0 * value(middle) + 5.0 * value(middle + side);
      y.push_back(y.back() + h / 18.0 * sum);
    }
    rate = y.back();
    const double last = end < until ? std::nextafter(end, begin) : end;
    pieces.push_back(std::make_shared<expression::Table>(
        pieces.empty() ? name : fmt::format("{}_{}", name, pieces.size() + 1), std::move(x),
        std::move(y),
        expression::TableOptions{.extrapolation = expression::Extrapolation::extend,
                                 .first_slope = value(begin),
                                 .last_slope = value(last)}));
    begin = end;
  }
  return pieces;
}

std::string formula_of(const RatePieces& pieces) {
  std::string text = fmt::format("table({}, time)", pieces.back()->name());
  for (std::size_t i = pieces.size() - 1; i-- > 0;) {
    text = fmt::format("if(time < {:.17g} s, table({}, time), {})", pieces[i]->back(),
                       pieces[i]->name(), text);
  }
  return text;
}

}  // namespace trammel::model
