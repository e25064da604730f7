#include "trammel/integrators/gssss_parameters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"

namespace trammel::integrators {

std::string to_string(Family family, const SpectralRadii& radii) {
  return fmt::format("{}({:g}, {:g}, {:g})", family == Family::U0 ? "U0" : "V0", radii.minimum,
                     radii.maximum, radii.spurious);
}

bool admissible(const SpectralRadii& r) {
  return 0.0 <= r.spurious && r.spurious <= r.minimum && r.minimum <= r.maximum && r.maximum <= 1.0;
}

SpectralRadii nearest_admissible(const SpectralRadii& radii) {
  const auto in_range = [](double rho) {
    return std::isnan(rho) ? 1.0 : std::clamp(rho, 0.0, 1.0);
  };
  // The parameters are symmetric in the principal roots: those may change places.
  const double a = in_range(radii.minimum);
  const double b = in_range(radii.maximum);
  SpectralRadii nearest{std::min(a, b), std::max(a, b), in_range(radii.spurious)};
  nearest.spurious = std::min(nearest.spurious, nearest.minimum);
  return nearest;
}

GssssParameters gssss_parameters(Family family, const SpectralRadii& radii) {
  if (!admissible(radii)) {
    throw core::InputError(
        fmt::format("the spectral radii (rho_min, rho_max, rho_s) of {} do not satisfy "
                    "0 <= rho_s <= rho_min <= rho_max <= 1",
                    to_string(family, radii)),
        fmt::format("the nearest member is {}", to_string(family, nearest_admissible(radii))));
  }
  const double r1 = radii.minimum;
  const double r2 = radii.maximum;
  const double r3 = radii.spurious;
  const double d = (1.0 + r1) * (1.0 + r2);
  const double s = 1.0 + r3;
  const double k = 3.0 + r1 + r2 - r1 * r2;

  // [Huang2014, eqs. 2.4 and 2.5]
  GssssParameters p;
  p.l3_w3 = 1.0 / (d * s);
  p.l6_w1 = (2.0 + r1 + r2 + r3 - r1 * r2 * r3) / (d * s);
  if (family == Family::U0) {
    p.w1 = 1.0 / s;
    p.l2_w2 = 0.5 / s;
    p.l5_w2 = 0.5 * k / (d * s);
    p.l3 = 1.0 / d;
    p.l5 = 0.5 * k / d;
    p.shift = (1.0 - r1 * r2) / d;
  } else {
    p.w1 = 0.5 * k / d;
    p.l2_w2 = 1.0 / d;
    p.l5_w2 = 2.0 / (d * s);
    p.l3 = 0.5 / s;
    p.l5 = 1.0 / s;
    p.shift = 0.5 * (1.0 - r3) / s;
  }
  return p;
}

namespace {

// Rows of u, h v and h^2 a, given the row of h^2 da.
Eigen::Matrix3d with_increment(const GssssParameters& p, const Eigen::RowVector3d& increment) {
  Eigen::Matrix3d A;
  A << 1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0;
  A.row(0) += p.l3 * increment;
  A.row(1) += p.l5 * increment;
  A.row(2) += increment;
  return A;
}

}  // namespace

Eigen::Matrix3d amplification_matrix(const GssssParameters& p, double frequency, double damping) {
  const double k = frequency * frequency;
  const double c = 2.0 * damping * frequency;
  const double divisor = p.l6_w1 + p.l5_w2 * c + p.l3_w3 * k;
  const Eigen::RowVector3d increment(k, c + k * p.w1, 1.0 + c * p.w1 + k * p.l2_w2);
  return with_increment(p, -increment / divisor);
}

Eigen::Matrix3d amplification_matrix_at_infinity(const GssssParameters& p) {
  return with_increment(p, -Eigen::RowVector3d(1.0, p.w1, p.l2_w2) / p.l3_w3);
}

double spectral_radius(const Eigen::Matrix3d& amplification) {
  return amplification.eigenvalues().cwiseAbs().maxCoeff();
}

const std::vector<GssssMember>& gssss_members() {
  static const std::vector<GssssMember> members{
      {"newmark", "average acceleration, no damping: U0(1, 1, 0)", Family::U0, false, 0.0,
       [](double) {
         return SpectralRadii{1.0, 1.0, 0.0};
       }},
      {"mpr-epa", "midpoint rule with end-point acceleration, no damping: U0(1, 1, 1)", Family::U0,
       false, 0.0,
       [](double) {
         return SpectralRadii{1.0, 1.0, 1.0};
       }},
      {"mpr-mpa", "midpoint rule with midpoint acceleration, no damping: V0(1, 1, 0)", Family::V0,
       false, 0.0,
       [](double) {
         return SpectralRadii{1.0, 1.0, 0.0};
       }},
      {"generalized-alpha", "least damping of low frequencies for rho: U0(rho, rho, rho)",
       Family::U0, true, 0.0,
       [](double rho) {
         return SpectralRadii{rho, rho, rho};
       }},
      {"wbz", "Wood, Bossak, Zienkiewicz: forces at the end of the step, U0(rho, rho, 0)",
       Family::U0, true, 0.0,
       [](double rho) {
         return SpectralRadii{rho, rho, 0.0};
       }},
      {"hht", "Hilber, Hughes, Taylor: inertia at the end of the step, rho from 1/2 to 1",
       Family::U0, true, 0.5,
       [](double rho) {
         return SpectralRadii{rho, rho, 0.5 * (1.0 - rho) / rho};
       }},
      {"u0-v0-optimal", "no overshoot in displacement and velocity: U0(rho, 1, rho)", Family::U0,
       true, 0.0,
       [](double rho) {
         return SpectralRadii{rho, 1.0, rho};
       }},
  };
  return members;
}

const GssssMember* find_gssss_member(std::string_view name) {
  for (const GssssMember& member : gssss_members()) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

SpectralRadii radii_of(const GssssMember& member, double rho) {
  if (member.takes_radius && !(rho >= member.least_radius && rho <= 1.0)) {
    const double nearest = std::isnan(rho) ? 1.0 : std::clamp(rho, member.least_radius, 1.0);
    throw core::InputError(
        fmt::format("spectral_radius of {} is {:g}", member.name, rho),
        fmt::format("give a number from {:g} (most damping) to 1 (none); the nearest is {:g}",
                    member.least_radius, nearest));
  }
  SpectralRadii radii = member.radii(rho);
  // hht at rho = 1/2: rounding must not put rho_s above rho_min.
  radii.spurious = std::min(radii.spurious, radii.minimum);
  return radii;
}

}  // namespace trammel::integrators
