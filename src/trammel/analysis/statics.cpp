#include "trammel/analysis/statics.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/dynamic_relaxation.h"
#include "trammel/analysis/equilibrium.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

constexpr double balanced = 1e-9;
constexpr double longest_step = 0.3;  // of the displacement scale

void require_time_for_equilibrium(const EarlyEnd& end) {
  end.require_time("an equilibrium was sought", "give more time, or start nearer to it");
}

// Newton until the steps are round-off; false when it does not get there.
bool newton(Equilibrium& equilibrium, int most_iterations, int& iterations, const EarlyEnd& end) {
  for (int i = 0; i < most_iterations; ++i) {
    require_time_for_equilibrium(end);
    const double size = equilibrium.newton_step(longest_step);
    ++iterations;
    if (std::isnan(size)) return false;
    constexpr double round_off = 1e-11;
    if (size < round_off) return equilibrium.rests(balanced);
  }
  return equilibrium.rests(balanced);
}

class Search {
 public:
  Search(model::ModelSystem& system, StaticsReport& report, const StaticsOptions& options)
      : system_(system),
        report_(report),
        end_(options.end),
        start_(report.assembly.motion.state),
        steady_(options.steady) {}

  bool by_newton() {
    restart(StaticMethod::newton);
    constexpr int most = 40;
    return newton(*equilibrium_, most, report_.iterations, end_);
  }

  // The held load is released; where Newton fails, by half as much.
  bool by_load_stepping() {
    restart(StaticMethod::load_stepping);
    equilibrium_->hold_present();
    double share = 1.0;
    double part = 0.1;
    while (share > 0.0) {
      const Equilibrium::Mark before = equilibrium_->mark();
      const double next = std::max(0.0, share - part);
      equilibrium_->release_to(next);
      equilibrium_->update();
      constexpr int most = 15;
      if (newton(*equilibrium_, most, report_.iterations, end_)) {
        share = next;
        part *= 1.5;
        ++report_.load_steps;
      } else {
        equilibrium_->return_to(before);
        part *= 0.5;
        constexpr double least = 1e-4;
        if (part < least) return false;
      }
    }
    return true;
  }

  bool by_relaxation() {
    restart(StaticMethod::relaxation);
    return relax_and_finish();
  }

  // From an unstable equilibrium to a stable one; several times, since beyond it may lie another
  // unstable one, e.g. for a model that stays in its plane of symmetry. True when one was found;
  // otherwise everything stays as it was.
  bool leave_unstable(StabilityReport& stability) {
    const Equilibrium::Mark unstable = equilibrium_->mark();
    const StabilityReport judged = stability;
    constexpr int most_pushes = 6;
    double size = 0.05;  // of the displacement scale
    while (stability.diverging.cols() > 0 && report_.pushes < most_pushes) {
      ++report_.pushes;
      if (!push(stability.diverging, size) || !relax_and_finish()) break;
      stability = judge_stability(system_, *equilibrium_);
      size *= 1.5;
    }
    if (stability.verdict != Stability::unstable) return true;
    equilibrium_->return_to(unstable);
    equilibrium_->update();
    stability = judged;
    return false;
  }

  const Equilibrium& equilibrium() const { return *equilibrium_; }

 private:
  void restart(StaticMethod method) {
    report_.method = method;
    if (equilibrium_) equilibrium_->return_to(begin_);
    system_.accept(start_);
    equilibrium_.emplace(system_, start_, steady_);
    begin_ = equilibrium_->mark();
  }

  bool relax_and_finish() {
    constexpr double near = 1e-5;
    constexpr long most_steps = 20000;
    const RelaxationReport relaxed = relax(system_, *equilibrium_, near, most_steps, end_);
    report_.relaxation_steps += relaxed.steps;
    constexpr int most = 20;
    return relaxed.settled && newton(*equilibrium_, most, report_.iterations, end_);
  }

  // Moves along all these shapes at once, each to the side of the start.
  bool push(const Matrix& shapes, double size) {
    const Vector& scale = system_.displacement_scale();
    Vector to_start;
    system_.logarithm(equilibrium_->motion().state.q, start_.q, to_start);
    Vector x = Vector::Zero(scale.size());
    for (const auto shape : shapes.colwise()) {
      const double side = shape.cwiseQuotient(scale).dot(to_start.cwiseQuotient(scale));
      x += (side < 0.0 ? -1.0 : 1.0) * shape;
    }
    if (!equilibrium_->move(size / scaled_size(x, scale) * x)) return false;
    equilibrium_->update();
    return true;
  }

  model::ModelSystem& system_;
  StaticsReport& report_;
  const EarlyEnd& end_;
  system::State start_;
  bool steady_ = false;
  std::optional<Equilibrium> equilibrium_;
  Equilibrium::Mark begin_;
};

bool search(Search& search, StaticMethod method) {
  switch (method) {
    case StaticMethod::newton:
      return search.by_newton();
    case StaticMethod::load_stepping:
      return search.by_load_stepping();
    case StaticMethod::relaxation:
      return search.by_relaxation();
    case StaticMethod::automatic:
      break;
  }
  return search.by_newton() || search.by_load_stepping() || search.by_relaxation();
}

[[noreturn]] void no_equilibrium(model::ModelSystem& system, const Equilibrium& last) {
  const Matrix& N = last.freedoms();
  const Vector acceleration =
      N * last.reduced_mass().partialPivLu().solve(Vector(-last.out_of_balance()));
  Observer observer(system);
  const std::vector<std::string> moving =
      suitable_inputs(observer, last.motion().state, acceleration);
  throw core::RunError(
      fmt::format(
          "no equilibrium was found: loads without balance keep moving {}",
          moving.empty() ? std::string("the model") : fmt::format("{}", fmt::join(moving, ", "))),
      "support that motion by a joint, a drive or a spring, or start nearer to the equilibrium");
}

}  // namespace

StaticsReport statics(model::ModelSystem& system, const StaticsOptions& options) {
  StaticsReport report;
  report.assembly = assemble(system);
  Search attempts(system, report, options);
  const bool found = search(attempts, options.method);
  const Equilibrium& equilibrium = attempts.equilibrium();
  if (!found) no_equilibrium(system, equilibrium);
  report.stability = judge_stability(system, equilibrium);
  if (!options.nearest && report.stability.verdict == Stability::unstable) {
    const std::vector<std::string> along = report.stability.softest;
    if (attempts.leave_unstable(report.stability)) {
      report.left_along = along.empty() ? "its softest shape" : along.front();
    }
  }
  report.motion = equilibrium.motion();
  report.residual = equilibrium.error();
  Vector moved;
  system.logarithm(report.assembly.motion.state.q, report.motion.state.q, moved);
  report.moved = largest(moved);
  return report;
}

}  // namespace trammel::analysis
