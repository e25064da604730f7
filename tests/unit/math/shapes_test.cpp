#include "trammel/math/shapes.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace trammel::math::shapes_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

// One point of a quadrature: where, and how much volume it stands for.
struct Grain {
  Vector3d position;
  double volume;
};

// Nodes and weights of Gauss-Legendre quadrature with 4 points on [low, high]: exact to degree 7.
std::vector<std::pair<double, double>> gauss(double low, double high) {
  const double root = std::sqrt(1.2);
  const double near = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * root);
  const double far = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * root);
  const double heavy = (18.0 + std::sqrt(30.0)) / 36.0;
  const double light = (18.0 - std::sqrt(30.0)) / 36.0;
  std::vector<std::pair<double, double>> rule = {
      {-far, light}, {-near, heavy}, {near, heavy}, {far, light}};
  for (auto& [node, weight] : rule) {
    node = 0.5 * (low + high) + 0.5 * (high - low) * node;
    weight *= 0.5 * (high - low);
  }
  return rule;
}

// Six equal steps round the circle: exact for the second moments, which go with cos(2 phi).
std::vector<std::pair<double, double>> circle() {
  std::vector<std::pair<double, double>> rule;
  for (int step = 0; step < 6; ++step) {
    rule.emplace_back(step * pi / 3.0, pi / 3.0);
  }
  return rule;
}

std::vector<Grain> box_grains(double a, double b, double c) {
  std::vector<Grain> grains;
  for (const auto& [x, wx] : gauss(-a / 2, a / 2)) {
    for (const auto& [y, wy] : gauss(-b / 2, b / 2)) {
      for (const auto& [z, wz] : gauss(-c / 2, c / 2)) {
        grains.push_back({{x, y, z}, wx * wy * wz});
      }
    }
  }
  return grains;
}

// Between the radii inner(z) and outer(z), for z in [low, high].
std::vector<Grain> round_grains(double low,
                                double high,
                                const std::function<double(double)>& inner,
                                const std::function<double(double)>& outer) {
  std::vector<Grain> grains;
  for (const auto& [z, wz] : gauss(low, high)) {
    for (const auto& [r, wr] : gauss(inner(z), outer(z))) {
      for (const auto& [phi, wphi] : circle()) {
        grains.push_back({{r * std::cos(phi), r * std::sin(phi), z}, wz * wr * wphi * r});
      }
    }
  }
  return grains;
}

// Spherical shell with u = cos(polar angle).
std::vector<Grain> shell_grains(double inner, double outer) {
  std::vector<Grain> grains;
  for (const auto& [r, wr] : gauss(inner, outer)) {
    for (const auto& [u, wu] : gauss(-1.0, 1.0)) {
      for (const auto& [phi, wphi] : circle()) {
        const double flat = r * std::sqrt(1 - u * u);
        grains.push_back(
            {{flat * std::cos(phi), flat * std::sin(phi), r * u}, r * r * wr * wu * wphi});
      }
    }
  }
  return grains;
}

// Thin shapes: the grains keep their volume but lie in the plane where `axis` is zero.
std::vector<Grain> flattened(std::vector<Grain> grains, int axis) {
  for (Grain& grain : grains) {
    grain.position[axis] = 0.0;
  }
  return grains;
}

void expect_equals_quadrature(const Shape& shape, const std::vector<Grain>& grains) {
  constexpr double density = 7850.0;
  double volume_sum = 0.0;
  Vector3d first = Vector3d::Zero();
  for (const Grain& grain : grains) {
    volume_sum += grain.volume;
    first += grain.volume * grain.position;
  }
  const Vector3d centroid = first / volume_sum;
  Matrix3d J = Matrix3d::Zero();
  for (const Grain& grain : grains) {
    const Vector3d d = grain.position - centroid;
    J += density * grain.volume * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  }
  const MassProperties body = from_shape_and_density(shape, density);
  // The quadratures are exact; what is left is rounding of a few hundred terms.
  EXPECT_NEAR(volume(shape), volume_sum, 1e-13 * volume_sum) << name_of(shape);
  EXPECT_NEAR(body.mass, density * volume_sum, 1e-13 * density * volume_sum) << name_of(shape);
  EXPECT_LT((body.center - centroid).norm(), 1e-13) << name_of(shape);
  EXPECT_LT((body.inertia - J).norm(), 1e-13 * J.norm()) << name_of(shape) << "\n" << body.inertia;
  // Given the mass instead, the same body.
  const MassProperties same = from_shape_and_mass(shape, body.mass);
  EXPECT_EQ(same.center, body.center);
  EXPECT_EQ(same.inertia, body.inertia);
  core::Diagnostics diagnostics;
  check_mass_properties(body, InertiaDemand::positive_semidefinite, "body", diagnostics);
  EXPECT_TRUE(diagnostics.list().empty()) << name_of(shape);
}

std::function<double(double)> constant(double value) {
  return [value](double) { return value; };
}

TEST(Shapes, EqualQuadratureOverTheirVolume) {
  expect_equals_quadrature(Box{0.5, 0.3, 0.2}, box_grains(0.5, 0.3, 0.2));
  expect_equals_quadrature(Rod{1.5, 4e-4}, flattened(flattened(box_grains(1.5, 0.02, 0.02), 1), 2));
  expect_equals_quadrature(Plate{0.5, 0.3, 0.01}, flattened(box_grains(0.5, 0.3, 0.01), 2));
  expect_equals_quadrature(Cylinder{0.1, 0.7},
                           round_grains(-0.35, 0.35, constant(0), constant(0.1)));
  expect_equals_quadrature(Cylinder{0.1, 0.7, 0.08},
                           round_grains(-0.35, 0.35, constant(0.08), constant(0.1)));
  expect_equals_quadrature(Disc{0.4, 0.01},
                           flattened(round_grains(-0.005, 0.005, constant(0), constant(0.4)), 2));
  expect_equals_quadrature(Disc{0.4, 0.01, 0.3},
                           flattened(round_grains(-0.005, 0.005, constant(0.3), constant(0.4)), 2));
  expect_equals_quadrature(Sphere{0.25}, shell_grains(0, 0.25));
  expect_equals_quadrature(Sphere{0.25, 0.24}, shell_grains(0.24, 0.25));
  expect_equals_quadrature(Cone{0.2, 0.6}, round_grains(0, 0.6, constant(0), [](double z) {
                             return 0.2 * (1 - z / 0.6);
                           }));
}

TEST(Shapes, HollowIsOuterWithoutInner) {
  const auto difference = [](const Shape& outer, const Shape& inner) {
    MassProperties hole = from_shape_and_density(inner, 1000.0);
    hole.mass = -hole.mass;
    hole.inertia = -hole.inertia;
    return sum({from_shape_and_density(outer, 1000.0), hole});
  };
  const auto expect_same = [](const MassProperties& a, const MassProperties& b) {
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * a.mass);
    EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13 * a.inertia.norm());
  };
  expect_same(from_shape_and_density(Cylinder{0.1, 0.7, 0.06}, 1000.0),
              difference(Cylinder{0.1, 0.7}, Cylinder{0.06, 0.7}));
  expect_same(from_shape_and_density(Disc{0.1, 0.01, 0.06}, 1000.0),
              difference(Disc{0.1, 0.01}, Disc{0.06, 0.01}));
  expect_same(from_shape_and_density(Sphere{0.1, 0.06}, 1000.0),
              difference(Sphere{0.1}, Sphere{0.06}));
}

TEST(Shapes, HaveTheirThinLimits) {
  // Thin-walled tube, m R^2 about its axis, and spherical shell, 2/3 m R^2; first order in the
  // wall.
  const double wall = 1e-9;
  EXPECT_NEAR(from_shape_and_mass(Cylinder{1, 1, 1 - wall}, 3.0).inertia(2, 2), 3.0, 3.0 * wall);
  EXPECT_NEAR(from_shape_and_mass(Sphere{1, 1 - wall}, 3.0).inertia(0, 0), 2.0, 3.0 * wall);
  // 4 pi R^2 times the wall, whose own last digits are lost in 1 - wall.
  EXPECT_NEAR(volume(Sphere{1, 1 - wall}), 4 * pi * wall, 1e-6 * 4 * pi * wall);
  // A box of no thickness is a plate, and of no width a rod; second order in the size left over.
  const Matrix3d thin = inertia_per_mass(Box{2.0, 1.0, 1e-6});
  EXPECT_LT((thin - inertia_per_mass(Plate{2.0, 1.0})).norm(), 1e-12);
  const Matrix3d slender = inertia_per_mass(Box{2.0, 1e-6, 1e-6});
  EXPECT_LT((slender - inertia_per_mass(Rod{2.0})).norm(), 1e-12);
}

TEST(Shapes, TellEveryWrongDimension) {
  const auto paths = [](const Shape& shape) {
    core::Diagnostics diagnostics;
    check_shape(shape, "shape", diagnostics);
    std::vector<std::string> found;
    for (const core::Diagnostic& problem : diagnostics.list()) {
      EXPECT_FALSE(problem.remedy.empty());
      found.push_back(problem.path);
    }
    return found;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(paths(Rod{0, -1}), (Paths{"shape.length", "shape.area"}));
  EXPECT_EQ(paths(Box{-1, 0, NAN}), (Paths{"shape.x", "shape.y", "shape.z"}));
  EXPECT_EQ(paths(Plate{0, INFINITY, -1}), (Paths{"shape.x", "shape.y", "shape.thickness"}));
  EXPECT_EQ(paths(Cylinder{0.1, -2, 0.1}), (Paths{"shape.inner_radius", "shape.length"}));
  EXPECT_EQ(paths(Disc{-0.1, NAN, -1}),
            (Paths{"shape.radius", "shape.inner_radius", "shape.thickness"}));
  EXPECT_EQ(paths(Sphere{1.0, 2.0}), (Paths{"shape.inner_radius"}));
  EXPECT_EQ(paths(Cone{0, 0}), (Paths{"shape.radius", "shape.height"}));
  EXPECT_EQ(paths(Cylinder{0.1, 2, 0.09}), Paths{});
}

TEST(Shapes, NeedAPositiveMassOrDensityAndAVolume) {
  EXPECT_THROW(from_shape_and_mass(Sphere{1}, 0.0), core::InputError);
  EXPECT_THROW(from_shape_and_density(Sphere{1}, -5.0), core::InputError);
  EXPECT_NO_THROW(from_shape_and_mass(Rod{1}, 2.0));
  try {
    from_shape_and_density(Rod{1}, 7850.0);
    ADD_FAILURE();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("rod without volume"), std::string::npos);
    EXPECT_NE(error.diagnostics().at(0).remedy.find("area"), std::string::npos);
  }
  try {
    from_shape_and_mass(Box{1, -1, -1}, -1.0);
    ADD_FAILURE();
  } catch (const core::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U);
  }
}

}  // namespace
}  // namespace trammel::math::shapes_test
