#include "trammel/model/motion_in_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trammel::model {
namespace {

// Gauss' rule on [-1, 1]: places and weights, for both signs.
constexpr std::array<double, 4> places{0.18343464249564980, 0.52553240991632899,
                                       0.79666647741362674, 0.96028985649753623};
constexpr std::array<double, 4> weights{0.36268378337836198, 0.31370664587788729,
                                        0.22238103445337447, 0.10122853629037626};

constexpr int panels_at_least = 512;
constexpr std::size_t most_panels = 1U << 20U;  // for one question
constexpr double never = std::numeric_limits<double>::infinity();

expression::Workspace& workspace() {
  static thread_local expression::Workspace own;
  return own;
}

}  // namespace

bool of_time_alone(const expression::Program& program) {
  return program.inputs().size() <= (program.time_input() ? 1U : 0U);
}

double at_time(const expression::Program& program, double t, expression::Workspace& work) {
  return program.value({&t, program.inputs().size()}, work);
}

RateOverTime::RateOverTime(double initial,
                           double length,
                           std::shared_ptr<const expression::Program> acceleration)
    : initial_(initial),
      acceleration_(std::move(acceleration)),
      switches_(*acceleration_, "time"),
      longest_(length / panels_at_least),
      panels_{{0.0, initial}},
      last_length_(longest_),
      largest_(std::abs(initial)) {
  // What the whole time makes of the rate, so that its beginnings are not taken for all of it.
  double sum = 0.0;
  for (int i = 0; i < panels_at_least; ++i) {
    const double size = std::abs(this->acceleration((i + 0.5) * longest_));
    if (std::isfinite(size)) sum += size * longest_;
  }
  largest_ = std::max(largest_, sum);
}

double RateOverTime::acceleration(double t) const {
  return at_time(*acceleration_, t, workspace());
}

double RateOverTime::slope_of_acceleration(double t) const {
  double slope = 0.0;
  if (!acceleration_->is_constant()) acceleration_->gradient({&t, 1}, {&slope, 1}, workspace());
  return slope;
}

RateOverTime::Integral RateOverTime::gauss(double begin, double end) const {
  const double half = 0.5 * (end - begin);
  const double middle = begin + half;
  Integral integral;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double before = acceleration(middle - half * places[i]);
    const double after = acceleration(middle + half * places[i]);
    integral.value += half * weights[i] * (before + after);
    integral.magnitude += std::abs(half) * weights[i] * (std::abs(before) + std::abs(after));
  }
  return integral;
}

// Of the acceleration behind the last panel; looked for a few panels ahead.
double RateOverTime::next_border() const {
  if (switches_.empty()) return never;
  constexpr double ahead = 8.0;
  const double begin = panels_.back().begin;
  const double end = begin + ahead * longest_;
  const double found = switches_.next(begin, end, workspace()).x;
  return found <= end ? found : end;
}

// Halves of a panel are better than the whole by a factor of 2^16 where the acceleration is smooth.
// What is left is round-off of the rates so far, or that of the time within the acceleration; or
// noise of the formula, which halves do not lessen.
RateOverTime::Panel RateOverTime::next_panel() const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  constexpr double noise = 1e-10;
  constexpr double stagnant = 0.25;
  constexpr double shortest = 1e-13;  // of the time and of the longest panel
  const Panel last = panels_.back();
  if (!(border_ > last.begin)) border_ = next_border();
  const double to_border = border_ - last.begin;
  double length = std::min({longest_, 2.0 * last_length_, to_border});
  double before = never;
  while (true) {
    const double end = length < to_border ? last.begin + length : border_;
    const double middle = last.begin + 0.5 * length;
    const Integral first = gauss(last.begin, middle);
    const Integral second = gauss(middle, end);
    const double change = first.value + second.value;
    const double magnitude = first.magnitude + second.magnitude;
    const double error = std::abs(gauss(last.begin, end).value - change);
    const double of_time = eps * end * length * std::abs(slope_of_acceleration(middle));
    const bool exact = !(error > 4.0 * (eps * std::max(largest_, magnitude) + of_time));
    const bool noisy = error < noise * magnitude && error > stagnant * before;
    if (exact || noisy) {
      last_length_ = length;
      return {end, change};
    }
    // A jump that nobody knew of is left; beside a pole there is no integral.
    if (length < shortest * std::max(end, longest_)) {
      last_length_ = length;
      constexpr double much = 1e-6;
      const bool pole = error > much * largest_;
      return {end, pole ? std::numeric_limits<double>::quiet_NaN() : change};
    }
    before = error;
    length *= 0.5;
  }
}

// Compensated: the sum of a million panels is as good as that of one.
void RateOverTime::grow(double t) const {
  const std::size_t most = panels_.size() + most_panels;
  while (panels_.back().begin < t && panels_.size() < most && std::isfinite(panels_.back().rate)) {
    Panel next = next_panel();
    const double addend = next.rate - carry_;
    next.rate = panels_.back().rate + addend;
    carry_ = (next.rate - panels_.back().rate) - addend;
    largest_ = std::max(largest_, std::abs(next.rate));
    panels_.push_back(next);
  }
}

double RateOverTime::rate(double t) const {
  if (!(t > 0.0)) return initial_ + acceleration(0.0) * t;
  Panel panel;
  {
    const std::lock_guard<std::mutex> lock(growing_);
    grow(t);
    if (panels_.back().begin < t) return std::numeric_limits<double>::quiet_NaN();
    const auto behind =
        std::upper_bound(panels_.begin(), panels_.end(), t,
                         [](double time, const Panel& other) { return time < other.begin; });
    panel = *(behind - 1);
  }
  return panel.rate + gauss(panel.begin, t).value;
}

std::shared_ptr<const expression::UserFunction> rate_function(
    std::string name, const std::shared_ptr<const RateOverTime>& rate) {
  using Arguments = expression::UserFunction::Arguments;
  return std::make_shared<expression::UserFunction>(
      std::move(name), 2, [rate](Arguments x) { return rate->rate(x[0]); },
      [rate](Arguments x, std::span<double> out) {
        out[0] = rate->acceleration(x[0]);
        out[1] = 0.0;
      },
      [rate](Arguments x, std::span<double> out) {
        std::fill(out.begin(), out.end(), 0.0);
        out[0] = rate->slope_of_acceleration(x[0]);
      });
}

}  // namespace trammel::model
