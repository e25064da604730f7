#include "trammel/model/relation_check.h"

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "trammel/model/euler_coordinate.h"
#include "trammel/model/timed_formula.h"

namespace trammel::model {
namespace {

bool check_jumps(const std::shared_ptr<const expression::Program>& program,
                 const std::string& path,
                 double until,
                 core::Diagnostics& diagnostics) {
  expression::Workspace workspace;
  const TimedFormula timed(program, TimedUse::position_row);
  const DriveJump jump = timed.first_jump(until, workspace);
  if (!std::isfinite(jump.time)) return true;
  diagnostics.error(
      path + ".motion",
      fmt::format(
          "at t = {:.9g} s the motion jumps from {:.6g} to {:.6g}, which no body can follow",
          jump.time, 0.0 - jump.before, 0.0 - jump.after),
      "let it rise over some time: step5(time, t0, y0, t1, y1), haversine or ramp");
  return false;
}

// The second of three angles comes to an end of its range: there the angles are singular, and
// nothing follows the motion beyond.
bool check_second_angle(const Formula<Spatial>& formula,
                        const std::string& path,
                        double until,
                        core::Diagnostics& diagnostics) {
  const auto& inputs = formula.inputs();
  const EulerCoordinate* angle = nullptr;
  for (const Measure<Spatial>& input : inputs) {
    const auto* euler = dynamic_cast<const EulerCoordinate*>(input.coordinate.get());
    if (euler != nullptr && euler->number() == 1) angle = euler;
  }
  if (angle == nullptr) return true;
  constexpr int samples = 2000;
  constexpr double margin = 1e-3;  // rad
  const auto [least, most] = EulerCoordinate::range_of_second(angle->sequence());
  expression::Workspace workspace;
  std::vector<double> values(inputs.size(), 0.0);
  for (int k = 0; k <= samples; ++k) {
    const double t = until * k / samples;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].kind == Measure<Spatial>::Kind::time) values[i] = t;
    }
    // The row is angle - motion, here with an angle of zero.
    const double motion = -formula.program().value(values, workspace);
    if (motion > least + margin && motion < most - margin) continue;
    constexpr double degree = M_PI / 180.0;
    const std::string sequence = angle->sequence().name();
    diagnostics.error(
        path + ".motion",
        fmt::format("at t = {:.6g} s the second of the angles '{}' comes to {:.6g} deg; they are "
                    "singular at {:.6g} and {:.6g} deg, where the first and the third turn have "
                    "the same axis",
                    t, sequence, motion / degree, least / degree, most / degree),
        fmt::format("use another sequence, e.g. {}, by which the same motion stays away from "
                    "that; or drive the components of the angular velocity (type: rate)",
                    angle->sequence().is_proper() ? "xyz" : "zxz"));
    return false;
  }
  return true;
}
bool check_second_angle(const Formula<Planar>& /*formula*/,
                        const std::string& /*path*/,
                        double /*until*/,
                        core::Diagnostics& /*diagnostics*/) {
  return true;
}

}  // namespace

template <class S>
bool check_relation(const Formula<S>& formula,
                    RelationLevel level,
                    const std::string& path,
                    bool drive,
                    double until,
                    core::Diagnostics& diagnostics) {
  using Kind = typename Measure<S>::Kind;
  const bool position = level == RelationLevel::position;
  if (formula.reads(Kind::state)) {
    diagnostics.error(path, "a constraint reads a first-order state",
                      "let a force follow the state instead");
    return false;
  }
  if (position && formula.reads(Kind::rate)) {
    diagnostics.error(path, drive ? "the motion reads a rate" : "the equation reads a rate",
                      drive ? "prescribe the velocity (type: velocity)"
                            : "write it as a pfaff coupling (type: pfaff)");
    return false;
  }
  if (!formula.reads(position ? Kind::position : Kind::rate)) {
    diagnostics.error(path,
                      position ? "the equation names no coordinate" : "the equation names no rate",
                      position ? "a constraint must depend on a position"
                               : "a pfaff coupling must depend on a rate, e.g. pin.angle_rate");
    return false;
  }
  if (drive && formula.inputs().size() > 2) {
    diagnostics.error(path + ".motion", "the motion reads measured quantities",
                      "a drive follows time alone; use a coupling for the rest");
    return false;
  }
  if (drive && position && !check_jumps(formula.shared_program(), path, until, diagnostics)) {
    return false;
  }
  if (drive && position && !check_second_angle(formula, path, until, diagnostics)) return false;
  const int needed = position ? 1 : 0;
  if (formula.program().smooth() < needed) {
    diagnostics.warning(path, "the formula has kinks or jumps where a tangent is needed",
                        "use smooth functions (step5, haversine, splines)");
  }
  return true;
}

template <class S>
bool check_linear_in_rates(const Formula<S>& formula,
                           const std::string& path,
                           FormulaWorkspace<S>& work,
                           core::Diagnostics& diagnostics) {
  using Kind = typename Measure<S>::Kind;
  const auto& inputs = formula.inputs();
  const std::size_t n = inputs.size();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  work.gradient.resize(n);
  work.hessian.resize(n * n);
  for (int trial = 0; trial < 5; ++trial) {
    work.inputs.resize(n);
    for (double& input : work.inputs) input = uniform(random);
    formula.program().hessian(work.inputs, work.gradient, work.hessian, work.program);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const bool rates = inputs[i].kind == Kind::rate && inputs[j].kind == Kind::rate;
        if (!rates || !(std::abs(work.hessian[i * n + j]) > 1e-12)) continue;
        diagnostics.error(path, "the equation is not linear in the rates",
                          "nonholonomic rows have the form a1*rate1 + a2*rate2 + ... + a0");
        return false;
      }
    }
  }
  return true;
}

template bool check_relation<Planar>(
    const Formula<Planar>&, RelationLevel, const std::string&, bool, double, core::Diagnostics&);
template bool check_linear_in_rates<Planar>(const Formula<Planar>&,
                                            const std::string&,
                                            FormulaWorkspace<Planar>&,
                                            core::Diagnostics&);
template bool check_relation<Spatial>(
    const Formula<Spatial>&, RelationLevel, const std::string&, bool, double, core::Diagnostics&);
template bool check_linear_in_rates<Spatial>(const Formula<Spatial>&,
                                             const std::string&,
                                             FormulaWorkspace<Spatial>&,
                                             core::Diagnostics&);

}  // namespace trammel::model
