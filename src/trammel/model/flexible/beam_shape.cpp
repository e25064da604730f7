#include "trammel/model/flexible/beam_shape.h"

#include <cmath>

namespace trammel::model {

namespace {

/// sin(x)/x.
double sine_quotient(double x) {
  constexpr double small = 1e-4;  // the next term is below round-off
  return std::abs(x) < small ? 1.0 - x * x / 6.0 : std::sin(x) / x;
}

}  // namespace

// Chords from the start to a point of an arc and from there to the tip differ by half of its turn.
double centre_line_turn(const FlexibleBody& body) {
  if (!body.through) return 0.0;
  const Eigen::Vector3d a = *body.through - body.start;
  const Eigen::Vector3d b = body.tip - *body.through;
  return 2.0 * std::atan2(a.cross(b).z(), a.dot(b));
}

double centre_line_length(const FlexibleBody& body) {
  return body.length() / sine_quotient(0.5 * centre_line_turn(body));
}

CrossSection section_at(const FlexibleBody& body, double along) {
  if (!body.tip_section) return body.section;
  const auto between = [&](double start, double tip) { return start + along * (tip - start); };
  const CrossSection& a = body.section;
  const CrossSection& b = *body.tip_section;
  CrossSection section = a;
  section.height = between(a.height, b.height);
  section.shear_factor = between(a.shear_factor, b.shear_factor);
  const double radius = 0.5 * section.height;
  const bool same = a.shape == b.shape;
  if (same && a.shape == SectionShape::rectangle) {
    section.area = between(a.area / a.height, b.area / b.height) * section.height;
    section.second_moment = section.area * section.height * section.height / 12.0;
  } else if (same && (a.shape == SectionShape::circle || a.shape == SectionShape::tube)) {
    section.inner = between(a.inner, b.inner);
    const double inner = section.inner * section.inner;
    section.area = M_PI * (radius * radius - inner);
    section.second_moment = 0.25 * section.area * (radius * radius + inner);
  } else {
    section.area = between(a.area, b.area);
    section.second_moment = between(a.second_moment, b.second_moment);
  }
  return section;
}

ElementProperties element_properties(const FlexibleBody& body, int k) {
  const CrossSection section = section_at(body, (k + 0.5) / body.elements);
  const double piece = centre_line_length(body) / body.elements;
  ElementProperties element;
  element.is_bar = body.element == "bar";
  element.bend = centre_line_turn(body) / body.elements;
  element.length = piece * sine_quotient(0.5 * element.bend);
  element.mass = body.material.density * section.area * piece;
  element.axial = body.material.youngs_modulus * section.area;
  if (element.is_bar) return element;
  element.bending = body.material.youngs_modulus * section.second_moment;
  if (body.element == "timoshenko") {
    element.shear = 12.0 * element.bending /
                    (section.shear_factor * body.material.shear_modulus() * section.area *
                     element.length * element.length);
  }
  return element;
}

EndWeights shape(const ElementProperties& element, double xi) {
  if (element.is_bar) return {1.0 - xi, 0.0, xi, 0.0};
  const double L = element.length;
  const double phi = element.shear;
  const double square = xi * xi;
  const double cube = square * xi;
  const EndWeights s(1.0 - 3.0 * square + 2.0 * cube + (1.0 - xi) * phi,
                     L * (xi - 2.0 * square + cube + 0.5 * (xi - square) * phi),
                     3.0 * square - 2.0 * cube + xi * phi,
                     L * (cube - square - 0.5 * (xi - square) * phi));
  return s / (1.0 + phi);
}

EndWeights shape_slope(const ElementProperties& element, double xi) {
  if (element.is_bar) return {-1.0, 0.0, 1.0, 0.0};
  const double L = element.length;
  const double phi = element.shear;
  const double square = xi * xi;
  const EndWeights slope(-6.0 * xi + 6.0 * square - phi,
                         L * (1.0 - 4.0 * xi + 3.0 * square + 0.5 * (1.0 - 2.0 * xi) * phi),
                         6.0 * xi - 6.0 * square + phi,
                         L * (3.0 * square - 2.0 * xi - 0.5 * (1.0 - 2.0 * xi) * phi));
  return slope / (1.0 + phi);
}

EndWeights section_direction(const ElementProperties& element, double xi) {
  const double L = element.length;
  if (element.is_bar) return {-1.0 / L, 0.0, 1.0 / L, 0.0};
  const double phi = element.shear;
  const double tilt = 6.0 * (xi * xi - xi) / L;
  const EndWeights b(tilt, 1.0 + phi - (4.0 + phi) * xi + 3.0 * xi * xi, -tilt,
                     3.0 * xi * xi - (2.0 - phi) * xi);
  return b / (1.0 + phi);
}

EndWeights shape_mean(const ElementProperties& element) {
  if (element.is_bar) return {0.5, 0.0, 0.5, 0.0};
  return {0.5, element.length / 12.0, 0.5, -element.length / 12.0};
}

// M1 ... M6 of [Huang2014, eq. A.115].
Eigen::Matrix4d mass_integrals(const ElementProperties& element) {
  Eigen::Matrix4d N = Eigen::Matrix4d::Zero();
  if (element.is_bar) {
    N(0, 0) = N(2, 2) = 1.0 / 3.0;
    N(0, 2) = N(2, 0) = 1.0 / 6.0;
    return N;
  }
  const double L = element.length;
  const double p = element.shear;
  const double M1 = 13.0 / 35.0 + 7.0 * p / 10.0 + p * p / 3.0;
  const double M2 = L * (11.0 / 210.0 + 11.0 * p / 120.0 + p * p / 24.0);
  const double M3 = 9.0 / 70.0 + 3.0 * p / 10.0 + p * p / 6.0;
  const double M4 = -L * (13.0 / 420.0 + 3.0 * p / 40.0 + p * p / 24.0);
  const double M5 = L * L * (1.0 / 105.0 + p / 60.0 + p * p / 120.0);
  const double M6 = -L * L * (1.0 / 140.0 + p / 60.0 + p * p / 120.0);
  N << M1, M2, M3, M4,   //
      M2, M5, -M4, M6,   //
      M3, -M4, M1, -M2,  //
      M4, M6, -M2, M5;
  return N / ((1.0 + p) * (1.0 + p));
}

Eigen::Matrix4d axial_stiffness(const ElementProperties& element) {
  Eigen::Matrix4d K = Eigen::Matrix4d::Zero();
  for (const GaussPoint& point : gauss_points()) {
    const EndWeights slope = shape_slope(element, point.xi);
    K += point.weight * slope * slope.transpose();
  }
  return element.axial / element.length * K;
}

// K1 ... K4 of [Huang2014, eq. A.140].
Eigen::Matrix4d beam_stiffness(const ElementProperties& element) {
  const double L = element.length;
  const double p = element.shear;
  Eigen::Matrix4d K;
  K << 12.0, 6.0 * L, -12.0, 6.0 * L,                           //
      6.0 * L, (4.0 + p) * L * L, -6.0 * L, (2.0 - p) * L * L,  //
      -12.0, -6.0 * L, 12.0, -6.0 * L,                          //
      6.0 * L, (2.0 - p) * L * L, -6.0 * L, (4.0 + p) * L * L;
  return element.bending / (L * L * L * (1.0 + p)) * K;
}

const std::array<GaussPoint, 5>& gauss_points() {
  static const std::array<GaussPoint, 5> points = [] {
    const double inner = std::sqrt(5.0 - 2.0 * std::sqrt(10.0 / 7.0)) / 3.0;
    const double outer = std::sqrt(5.0 + 2.0 * std::sqrt(10.0 / 7.0)) / 3.0;
    const double heavy = (322.0 + 13.0 * std::sqrt(70.0)) / 1800.0;
    const double light = (322.0 - 13.0 * std::sqrt(70.0)) / 1800.0;
    return std::array<GaussPoint, 5>{{{0.5 - 0.5 * outer, light},
                                      {0.5 - 0.5 * inner, heavy},
                                      {0.5, 64.0 / 225.0},
                                      {0.5 + 0.5 * inner, heavy},
                                      {0.5 + 0.5 * outer, light}}};
  }();
  return points;
}

}  // namespace trammel::model
