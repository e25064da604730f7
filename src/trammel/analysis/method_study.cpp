#include "trammel/analysis/method_study.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"

namespace trammel::analysis {
namespace {

using integrators::Family;
using integrators::GssssParameters;
using integrators::SpectralRadii;

// Damping ratio and period of the principal pair exp((-xi +- i) w' h) of a step.
void measure_pair(const Eigen::Matrix3d& step, Amplification& point) {
  const Eigen::Vector3cd roots = step.eigenvalues();
  std::complex<double> principal{0.0, 0.0};
  for (const std::complex<double>& root : roots) {
    if (root.imag() > 1e-12 && std::abs(root) > std::abs(principal)) principal = root;
  }
  point.damping = std::nan("");
  point.period_error = std::nan("");
  if (principal.imag() <= 0.0) return;
  const double phase = std::arg(principal);
  constexpr double round_off = 1e-13;
  const double decay = -std::log(std::abs(principal));
  point.damping = std::abs(decay) < round_off ? 0.0 : decay / phase;
  point.period_error = point.frequency / phase - 1.0;
}

bool same(const GssssParameters& a, const GssssParameters& b) {
  constexpr double rounding = 1e-9;
  return std::abs(a.w1 - b.w1) < rounding && std::abs(a.l2_w2 - b.l2_w2) < rounding &&
         std::abs(a.l3_w3 - b.l3_w3) < rounding && std::abs(a.l5_w2 - b.l5_w2) < rounding &&
         std::abs(a.l6_w1 - b.l6_w1) < rounding && std::abs(a.l3 - b.l3) < rounding &&
         std::abs(a.l5 - b.l5) < rounding;
}

}  // namespace

std::vector<Amplification> amplification(
    const GssssParameters& p, double damping, double lowest, double highest, int count) {
  std::vector<Amplification> points;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / std::max(1, count - 1);
    Amplification point;
    point.frequency = lowest * std::pow(highest / lowest, part);
    const Eigen::Matrix3d step = amplification_matrix(p, point.frequency, damping);
    point.radius = integrators::spectral_radius(step);
    measure_pair(step, point);
    points.push_back(point);
  }
  return points;
}

std::vector<std::string> names_of(Family family, const SpectralRadii& radii) {
  std::vector<std::string> names;
  const GssssParameters wanted = gssss_parameters(family, radii);
  for (const integrators::GssssMember& member : integrators::gssss_members()) {
    // Where a member has a rho to choose, it is one of the radii.
    for (const double rho : {radii.minimum, radii.maximum, radii.spurious}) {
      if (member.takes_radius && rho < member.least_radius) continue;
      const SpectralRadii own = radii_of(member, member.takes_radius ? rho : 1.0);
      if (!same(gssss_parameters(member.family, own), wanted)) continue;
      names.push_back(member.takes_radius ? fmt::format("{} {:g}", member.name, rho) : member.name);
      break;
    }
  }
  return names;
}

std::vector<std::string> uses_of(Family family, const SpectralRadii& r) {
  std::vector<std::string> uses;
  const GssssParameters p = gssss_parameters(family, r);
  const bool conservative = r.minimum == 1.0 && r.maximum == 1.0;
  const bool midpoint = conservative && (family == Family::V0 || r.spurious == 1.0);
  if (conservative) {
    uses.emplace_back("no numerical damping: long runs of mechanisms, orbits, bounded energy");
  } else if (r.maximum == 1.0) {
    uses.emplace_back("one principal root keeps, the other damps: no overshoot, little damping");
  } else {
    uses.push_back(
        fmt::format("damps what the step does not resolve, by a factor of {:g} per step at most: "
                    "stiff springs, "
                    "contacts, quiet reactions",
                    r.maximum));
  }
  if (r.maximum <= 0.3) uses.emplace_back("low frequencies lose energy too: take short steps");
  if (midpoint) {
    uses.emplace_back("with conservation: energy it keeps the energy to Newton's tolerance");
  }
  const bool sawtooth = r.maximum == 1.0 && (family == Family::U0 || r.spurious == 1.0);
  if (sawtooth) {
    uses.emplace_back(
        "not at index 3 without projection: accelerations alternate more and more from step to "
        "step");
  } else if (family == Family::V0) {
    uses.emplace_back("at index 3 the velocity error does not decay; accelerations stay quiet");
  } else {
    uses.emplace_back("at index 3 errors of start and impacts die out: no projection needed");
  }
  if (p.shift >= 1.0) {
    uses.emplace_back("gives no true acceleration in the first step: index 3 or 2 only");
  } else if (p.shift > 0.3) {
    uses.emplace_back("at index 1 only with projection: its shifted accelerations drift fast");
  }
  if (p.w1 > 1.0) {
    uses.emplace_back("satisfies the equations of motion beyond the end of the step");
  }
  return uses;
}

model::Description hinged_rod() {
  model::Description d;
  d.name = "hinged rod";
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  model::Body rod;
  rod.name = "rod";
  rod.mass.mass = 1.0;
  rod.mass.inertia = Eigen::Vector3d(0.0, 1.0, 1.0).asDiagonal();
  rod.mass.inertia /= 12.0;
  rod.position = {0.5, 0.0, 0.0};
  rod.frames = {model::Frame{"end", Eigen::Vector3d(-0.5, 0.0, 0.0)}};
  d.add_body(std::move(rod));
  d.add_joint("revolute", "hinge", "ground", "rod.end");
  d.simulation.until = 1.0;
  return d;
}

comparison::Comparison measured_orders(Family family, const SpectralRadii& radii) {
  comparison::CompareOptions options;
  options.axes.methods = {to_string(family, radii)};
  options.axes.steps = {0.01, 0.005, 0.0025};
  return comparison::compare(hinged_rod(), options);
}

}  // namespace trammel::analysis
