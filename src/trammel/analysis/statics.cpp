#include "trammel/analysis/statics.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/dynamic_relaxation.h"
#include "trammel/analysis/equilibrium.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

constexpr double balanced = 1e-9;
constexpr double longest_step = 0.3;  // of the displacement scale

// Newton until the steps are round-off; false when it does not get there.
bool newton(Equilibrium& equilibrium, int most_iterations, int& iterations) {
  for (int i = 0; i < most_iterations; ++i) {
    const double size = equilibrium.newton_step(longest_step);
    ++iterations;
    if (std::isnan(size)) return false;
    constexpr double round_off = 1e-11;
    if (size < round_off) return equilibrium.error() < balanced;
  }
  return equilibrium.error() < balanced;
}

class Search {
 public:
  Search(model::ModelSystem& system, StaticsReport& report)
      : system_(system), report_(report), start_(report.assembly.motion.state) {}

  bool by_newton() {
    restart(StaticMethod::newton);
    constexpr int most = 40;
    return newton(*equilibrium_, most, report_.iterations);
  }

  // The held load is released; where Newton fails, by half as much.
  bool by_load_stepping() {
    restart(StaticMethod::load_stepping);
    equilibrium_->hold_present();
    double share = 1.0;
    double part = 0.1;
    while (share > 0.0) {
      const system::Motion before = equilibrium_->motion();
      const double next = std::max(0.0, share - part);
      equilibrium_->release_to(next);
      equilibrium_->update();
      constexpr int most = 15;
      if (newton(*equilibrium_, most, report_.iterations)) {
        share = next;
        part *= 1.5;
        ++report_.load_steps;
      } else {
        equilibrium_->set(before);
        part *= 0.5;
        constexpr double least = 1e-4;
        if (part < least) return false;
      }
    }
    return true;
  }

  bool by_relaxation() {
    restart(StaticMethod::relaxation);
    constexpr double near = 1e-5;
    constexpr long most_steps = 20000;
    const RelaxationReport relaxed = relax(system_, *equilibrium_, near, most_steps);
    report_.relaxation_steps = relaxed.steps;
    constexpr int most = 20;
    return relaxed.settled && newton(*equilibrium_, most, report_.iterations);
  }

  const Equilibrium& equilibrium() const { return *equilibrium_; }

 private:
  void restart(StaticMethod method) {
    report_.method = method;
    system_.track_angles(start_);
    equilibrium_.emplace(system_, start_);
  }

  model::ModelSystem& system_;
  StaticsReport& report_;
  system::State start_;
  std::optional<Equilibrium> equilibrium_;
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

void judge_stability(model::ModelSystem& system,
                     const Equilibrium& equilibrium,
                     StaticsReport& report) {
  if (equilibrium.freedoms().cols() == 0) return;
  const Matrix ratio =
      equilibrium.reduced_mass().partialPivLu().solve(equilibrium.reduced_stiffness());
  const Eigen::EigenSolver<Matrix> solver(ratio);
  std::vector<std::pair<double, int>> order;
  for (int i = 0; i < ratio.rows(); ++i) order.emplace_back(solver.eigenvalues()[i].real(), i);
  std::sort(order.begin(), order.end());
  report.stiffness.resize(ratio.rows());
  for (int i = 0; i < ratio.rows(); ++i) {
    report.stiffness[i] = order[static_cast<std::size_t>(i)].first;
  }
  const double zero = 1e-8 * std::max(1e-3, report.stiffness.cwiseAbs().maxCoeff());
  // Complex pairs come from loads without a potential and grow without damping (flutter).
  const bool flutter = solver.eigenvalues().imag().cwiseAbs().maxCoeff() > zero;
  const double least = report.stiffness[0];
  report.stability = least < -zero || flutter ? Stability::unstable
                     : least < zero           ? Stability::neutral
                                              : Stability::stable;
  const Vector shape = equilibrium.freedoms() * solver.eigenvectors().col(order[0].second).real();
  Observer observer(system);
  report.softest = suitable_inputs(observer, equilibrium.motion().state, shape);
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

StaticsReport statics(model::ModelSystem& system, StaticMethod method) {
  StaticsReport report;
  report.assembly = assemble(system);
  Search attempts(system, report);
  const bool found = search(attempts, method);
  const Equilibrium& equilibrium = attempts.equilibrium();
  if (!found) no_equilibrium(system, equilibrium);
  report.motion = equilibrium.motion();
  report.residual = equilibrium.error();
  Vector moved;
  system.displacement(report.assembly.motion.state.q, report.motion.state.q, moved);
  report.moved = largest(moved);
  judge_stability(system, equilibrium, report);
  return report;
}

}  // namespace trammel::analysis
