#include "trammel/math/mass_properties.h"

#include <cmath>

#include "random_orientations.h"
#include <gtest/gtest.h>

namespace trammel::math::mass_properties_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A cloud of point masses: every rule below can be checked by summing over the points.
struct PointMass {
  double mass;
  Vector3d position;
};
using Cloud = std::vector<PointMass>;

Cloud random_cloud(std::mt19937& generator, int size) {
  std::uniform_real_distribution<double> mass(0.1, 2.0);
  Cloud cloud;
  for (int count = 0; count < size; ++count) {
    const double m = mass(generator);
    cloud.push_back({m, test::random_vector(generator)});
  }
  return cloud;
}

// The definition, element by element.
Matrix3d inertia_by_summing(const Cloud& cloud, const Vector3d& point) {
  Matrix3d J = Matrix3d::Zero();
  for (const PointMass& grain : cloud) {
    const Vector3d d = grain.position - point;
    J(0, 0) += grain.mass * (d.y() * d.y() + d.z() * d.z());
    J(1, 1) += grain.mass * (d.z() * d.z() + d.x() * d.x());
    J(2, 2) += grain.mass * (d.x() * d.x() + d.y() * d.y());
    J(0, 1) -= grain.mass * d.x() * d.y();
    J(1, 2) -= grain.mass * d.y() * d.z();
    J(2, 0) -= grain.mass * d.z() * d.x();
  }
  J(1, 0) = J(0, 1);
  J(2, 1) = J(1, 2);
  J(0, 2) = J(2, 0);
  return J;
}

MassProperties by_summing(const Cloud& cloud) {
  MassProperties body;
  for (const PointMass& grain : cloud) {
    body.mass += grain.mass;
    body.center += grain.mass * grain.position;
  }
  body.center /= body.mass;
  body.inertia = inertia_by_summing(cloud, body.center);
  return body;
}

// The clouds weigh about 10 kg within about 3 m: moments up to 100, products of rounding 1e-14.
constexpr double rounding = 1e-12;

void expect_same(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, rounding);
  EXPECT_LT((a.center - b.center).norm(), rounding);
  EXPECT_LT((a.inertia - b.inertia).norm(), rounding);
}

std::vector<core::Diagnostic> problems(const MassProperties& body,
                                       InertiaDemand demand = InertiaDemand::positive_definite) {
  core::Diagnostics diagnostics;
  check_mass_properties(body, demand, "bodies.crank", diagnostics);
  for (const core::Diagnostic& problem : diagnostics.list()) {
    EXPECT_EQ(problem.path.find("bodies.crank."), 0U);
    EXPECT_FALSE(problem.remedy.empty());
  }
  return diagnostics.list();
}

MassProperties with_moments(double xx, double yy, double zz) {
  return {1.0, Vector3d::Zero(), Vector3d(xx, yy, zz).asDiagonal()};
}

TEST(MassProperties, ShiftToAnotherPointAndBack) {
  std::mt19937 generator(11);
  for (int count = 0; count < 20; ++count) {
    const Cloud cloud = random_cloud(generator, 10);
    const MassProperties body = by_summing(cloud);
    const Vector3d point = test::random_vector(generator);
    const Matrix3d J_P = inertia_about(body, point);
    EXPECT_LT((J_P - inertia_by_summing(cloud, point)).norm(), rounding);
    expect_same(from_inertia_about(point, body.mass, body.center, J_P), body);
  }
}

TEST(MassProperties, MoveAndTurnWithTheirFrame) {
  std::mt19937 generator(12);
  for (int count = 0; count < 20; ++count) {
    Cloud cloud = random_cloud(generator, 10);
    const MassProperties body = by_summing(cloud);
    const Matrix3d R = test::random_quaternion(generator).toRotationMatrix();
    const Vector3d p = test::random_vector(generator);
    for (PointMass& grain : cloud) {
      grain.position = R * grain.position + p;
    }
    expect_same(placed(body, R, p), by_summing(cloud));
    expect_same(rotated(translated(placed(body, R, p), -p), R.transpose()), body);
  }
}

TEST(MassProperties, AddLikeTheUnionOfTheirParts) {
  std::mt19937 generator(13);
  const Cloud a = random_cloud(generator, 4);
  const Cloud b = random_cloud(generator, 7);
  Cloud both = a;
  both.insert(both.end(), b.begin(), b.end());
  const MassProperties whole = sum({by_summing(a), by_summing(b)});
  expect_same(whole, by_summing(both));
  // Taking a part away again, as a hole.
  MassProperties hole = by_summing(b);
  hole.mass = -hole.mass;
  hole.inertia = -hole.inertia;
  expect_same(sum({whole, hole}), by_summing(a));
  expect_same(sum({by_summing(a)}), by_summing(a));
}

TEST(MassProperties, SumOfNothingIsNothing) {
  const MassProperties nothing = sum({});
  EXPECT_EQ(nothing.mass, 0.0);
  EXPECT_TRUE(nothing.center.isZero(0.0));
  EXPECT_TRUE(nothing.inertia.isZero(0.0));
}

TEST(PrincipalInertia, RebuildsTheInertia) {
  std::mt19937 generator(14);
  for (int count = 0; count < 50; ++count) {
    const MassProperties body = by_summing(random_cloud(generator, 10));
    const PrincipalInertia principal = principal_inertia(body);
    const Matrix3d& R = principal.R_BP;
    EXPECT_LT((R * principal.moments.asDiagonal() * R.transpose() - body.inertia).norm(), rounding);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-14);
    EXPECT_LE(principal.moments[0], principal.moments[1]);
    EXPECT_LE(principal.moments[1], principal.moments[2]);
  }
}

TEST(PlanarMassProperties, KeepWhatAPlaneMotionFeels) {
  const MassProperties body{2.0, Vector3d(0.1, 0.2, 0.3), Vector3d(3.0, 4.0, 5.0).asDiagonal()};
  const PlanarMassProperties flat = planar(body);
  EXPECT_EQ(flat.mass, 2.0);
  EXPECT_EQ(flat.center, Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(flat.inertia, 5.0);
}

TEST(MassCheck, AcceptsRealBodies) {
  std::mt19937 generator(15);
  for (int count = 0; count < 50; ++count) {
    EXPECT_TRUE(problems(by_summing(random_cloud(generator, 4))).empty());
    // Three points lie in a plane: equality in the triangle inequality, up to rounding.
    EXPECT_TRUE(problems(by_summing(random_cloud(generator, 3))).empty());
    // Two points lie on a line: one moment is zero, up to rounding of either sign.
    const MassProperties slender = by_summing(random_cloud(generator, 2));
    EXPECT_TRUE(problems(slender, InertiaDemand::positive_semidefinite).empty());
    ASSERT_EQ(problems(slender).size(), 1U);
    EXPECT_NE(problems(slender)[0].message.find("zero"), std::string::npos);
  }
  // The symmetric heavy top of the literature, a flat body.
  EXPECT_TRUE(problems(with_moments(0.234375, 0.46875, 0.234375)).empty());
  // A flat body typed with four digits.
  EXPECT_TRUE(problems(with_moments(0.3333, 0.3333, 0.6667)).empty());
  // A point mass.
  EXPECT_TRUE(problems(with_moments(0, 0, 0), InertiaDemand::positive_semidefinite).empty());
}

TEST(MassCheck, NamesEveryMistakeAtOnce) {
  MassProperties body = with_moments(1.0, 1.0, 1.0);
  body.mass = -2.5;
  body.center.x() = NAN;
  body.inertia(0, 1) = 0.25;
  const auto found = problems(body);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].path, "bodies.crank.mass");
  EXPECT_NE(found[0].message.find("-2.5"), std::string::npos);
  EXPECT_EQ(found[1].path, "bodies.crank.center");
  EXPECT_EQ(found[2].path, "bodies.crank.inertia");
  EXPECT_NE(found[2].message.find("Jxy = 0.25 but Jyx = 0"), std::string::npos);
}

TEST(MassCheck, RefusesImpossibleInertia) {
  const auto too_large = problems(with_moments(1.0, 3.0, 1.5));
  ASSERT_EQ(too_large.size(), 1U);
  EXPECT_NE(too_large[0].message.find("1, 1.5, 3 kg m^2"), std::string::npos);
  EXPECT_NE(too_large[0].message.find("2.5"), std::string::npos);
  const auto negative =
      problems(with_moments(1.0, -0.5, 1.0), InertiaDemand::positive_semidefinite);
  ASSERT_EQ(negative.size(), 1U);
  EXPECT_NE(negative[0].message.find("-0.5"), std::string::npos);
  EXPECT_EQ(problems(with_moments(1.0, NAN, 1.0)).size(), 1U);
  // Hidden in the off-diagonal elements: moments 0.1, 1, 1.9.
  MassProperties skewed = with_moments(1.0, 1.0, 1.0);
  skewed.inertia(0, 2) = skewed.inertia(2, 0) = 0.9;
  EXPECT_EQ(problems(skewed).size(), 1U);
}

TEST(MassCheck, CoversPlaneBodies) {
  const auto count = [](double mass, double inertia, InertiaDemand demand) {
    core::Diagnostics diagnostics;
    check_mass_properties(PlanarMassProperties{mass, {0.0, 0.0}, inertia}, demand, "bodies.bob",
                          diagnostics);
    return diagnostics.list().size();
  };
  EXPECT_EQ(count(1.0, 2.0, InertiaDemand::positive_definite), 0U);
  EXPECT_EQ(count(1.0, 0.0, InertiaDemand::positive_definite), 1U);
  EXPECT_EQ(count(1.0, 0.0, InertiaDemand::positive_semidefinite), 0U);
  EXPECT_EQ(count(0.0, -1.0, InertiaDemand::positive_semidefinite), 2U);
  EXPECT_EQ(count(INFINITY, NAN, InertiaDemand::positive_semidefinite), 2U);
}

}  // namespace
}  // namespace trammel::math::mass_properties_test
