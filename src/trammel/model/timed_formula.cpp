#include "trammel/model/timed_formula.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel::model {
namespace {

constexpr std::size_t most_inputs = 2;  // of drives: the coordinate and time
constexpr double jump_tolerance = 1e-9;
constexpr int strikes = 1;  // order of a velocity that jumps
// Over a step, the slope of a table may change by this part of its range within it.
constexpr double small_change = 1e-2;
// Points of a table that follow on each other within so many steps describe a curve.
constexpr double crowded = 2.0;

// More than round-off of the value, and of the time at which it is taken?
bool jumps(double before, double after, double slope, double t) {
  const double size = std::max(std::abs(before), std::abs(after)) + std::abs(slope * t);
  return std::abs(after - before) > jump_tolerance * size;
}

}  // namespace

TimedFormula::TimedFormula(std::shared_ptr<const expression::Program> program, TimedUse use)
    : program_(std::move(program)), switches_(*program_, "time"), use_(use) {
  if (switches_.empty()) return;
  time_ = *program_->time_input();
  separate_ = use != TimedUse::load && program_->inputs().size() <= most_inputs;
}

TimedFormula::Sides TimedFormula::at(double t, expression::Workspace& workspace) const {
  const std::size_t count = program_->inputs().size();
  std::array<double, most_inputs> inputs{};
  std::array<double, most_inputs> gradient{};
  std::array<double, most_inputs * most_inputs> hessian{};
  inputs[time_] = t;
  const double value = program_->hessian({inputs.data(), count}, {gradient.data(), count},
                                         {hessian.data(), count * count}, workspace);
  return {value, gradient[time_], hessian[time_ * count + time_]};
}

int TimedFormula::order_at(const expression::Switch& found,
                           expression::Workspace& workspace) const {
  if (!separate_ || found.order > 1) return found.order;
  const Sides before = at(std::nextafter(found.x, -INFINITY), workspace);
  const Sides after = at(found.last, workspace);
  const auto larger = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
  if (jumps(before.value, after.value, larger(before.first, after.first), found.x)) return 0;
  const double second = larger(before.second, after.second);
  return jumps(before.first, after.first, second, found.x) ? 1 : 2;
}

bool TimedFormula::may_strike(const expression::Switch& found,
                              double h,
                              expression::Workspace& workspace) const {
  if (found.order + static_cast<int>(use_) > strikes) return false;
  const double near = found.last + crowded * h;
  return !(switches_.next(found.last, near, workspace).x <= near);
}

system::TimeSwitch TimedFormula::next(
    double t, double end, double h, int highest, expression::Workspace& workspace) const {
  while (true) {
    const expression::Switch found = switches_.next(t, end, workspace);
    if (!(found.x <= end)) return {};
    t = found.last;
    const bool slight = found.order > 0 && !(found.strength * h > small_change);
    if (slight && !may_strike(found, h, workspace)) continue;
    const int order = order_at(found, workspace);
    int level = order + static_cast<int>(use_);
    if (slight && level > strikes) continue;
    const bool smooth = level > system::TimeSwitch::restarts;
    if (use_ != TimedUse::load && smooth) level += system::TimeSwitch::loads;
    if (level <= highest) return {found.x, level, found.last};
  }
}

DriveJump TimedFormula::first_jump(double end, expression::Workspace& workspace) const {
  DriveJump jump{.time = INFINITY};
  if (!separate_) return jump;
  constexpr int most = 100000;
  double t = 0.0;
  for (int i = 0; i < most; ++i) {
    const expression::Switch found = switches_.next(t, end, workspace);
    if (!(found.x <= end)) return jump;
    t = found.last;
    if (found.order > 0 || order_at(found, workspace) > 0) continue;
    const double before = std::nextafter(found.x, -INFINITY);
    return {found.x, at(before, workspace).value, at(t, workspace).value};
  }
  return jump;
}

}  // namespace trammel::model
