// Linear structural dynamics M a + C v + K u = F(t) by the members of the GSSSS family: a
// cantilever with masses at four places, damped and shaken, against the exact motion of its modes.
#include "hand_written_systems.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/integrators/gssss.h"

namespace trammel::integrators::testing::structural_dynamics_test {
namespace {

using Eigen::MatrixXd;

/// With displacements u across the beam. Its flexibility is the textbook's: a load at b bends the
/// place a <= b by a^2 (3 b - a)/(6 E I).
struct Cantilever {
  static constexpr int n = 4;
  Vector M = Vector(n);
  MatrixXd K;
  MatrixXd C;
  Vector load = Vector(n);  ///< F = load sin(8 t)
  double rate = 8.0;
  MatrixXd shapes;  ///< of the modes, x^T M x = 1
  Vector omega;
  Vector ratio;  ///< of damping

  Cantilever() {
    const double EI = 40.0;
    MatrixXd flexibility(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double a = 0.25 * (std::min(i, j) + 1);
        const double b = 0.25 * (std::max(i, j) + 1);
        flexibility(i, j) = a * a * (3.0 * b - a) / (6.0 * EI);
      }
    }
    M << 1.0, 1.0, 1.0, 0.5;
    K = flexibility.inverse();
    K = (0.5 * (K + K.transpose())).eval();
    const double alpha = 0.3;
    const double beta = 2e-3;
    C = alpha * MatrixXd(M.asDiagonal()) + beta * K;
    load << 0.0, 3.0, 0.0, 1.0;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, MatrixXd(M.asDiagonal()));
    shapes = modes.eigenvectors();
    omega = modes.eigenvalues().cwiseSqrt();
    ratio = alpha / 2.0 * omega.cwiseInverse() + beta / 2.0 * omega;
  }

  FunctionSystem system(bool shaken) const {
    return FunctionSystem({.mass = M, .force = [*this, shaken](const State& s) -> Vector {
                             Vector f = -K * s.q - C * s.v;
                             if (shaken) f += std::sin(rate * s.t) * load;
                             return f;
                           }});
  }

  /// z'' + 2 zeta omega z' + omega^2 z = p sin(rate t) of each mode, in closed form.
  Motion exact(const Vector& u_0, const Vector& v_0, double t) const {
    Motion m;
    m.state.t = t;
    m.state.q.setZero(n);
    m.state.v.setZero(n);
    for (int k = 0; k < n; ++k) {
      const Vector shape = shapes.col(k);
      const double w = omega[k];
      const double z = ratio[k];
      const double w_d = w * std::sqrt(1.0 - z * z);
      const double p = shape.dot(load);
      const double d =
          (w * w - rate * rate) * (w * w - rate * rate) + 4.0 * z * z * w * w * rate * rate;
      const double s = p * (w * w - rate * rate) / d;
      const double c = -p * 2.0 * z * w * rate / d;
      const double a = shape.dot(M.cwiseProduct(u_0)) - c;
      const double b = (shape.dot(M.cwiseProduct(v_0)) - s * rate + z * w * a) / w_d;
      const double e = std::exp(-z * w * t);
      const double cosine = std::cos(w_d * t);
      const double sine = std::sin(w_d * t);
      m.state.q +=
          shape * (e * (a * cosine + b * sine) + s * std::sin(rate * t) + c * std::cos(rate * t));
      m.state.v += shape * (e * ((b * w_d - z * w * a) * cosine - (a * w_d + z * w * b) * sine) +
                            rate * (s * std::cos(rate * t) - c * std::sin(rate * t)));
    }
    m.a = M.cwiseInverse().cwiseProduct(std::sin(rate * t) * load - K * m.state.q - C * m.state.v);
    m.lambda.resize(0);
    return m;
  }
};

struct Member {
  std::string name;
  Family family;
  SpectralRadii radii;
};

/// All that have a name, with the radii they may be given, and a grid over both families.
std::vector<Member> every_member() {
  std::vector<Member> list;
  for (const GssssMember& member : gssss_members()) {
    for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
      if (member.takes_radius && rho < member.least_radius) continue;
      if (!member.takes_radius && rho > 0.0) continue;
      const double radius = member.takes_radius ? rho : 1.0;
      list.push_back({member.name, member.family, radii_of(member, radius)});
    }
  }
  for (const Family family : {Family::U0, Family::V0}) {
    for (const double a : {0.0, 0.4, 1.0}) {
      for (const double b : {0.4, 0.7, 1.0}) {
        for (const double c : {0.0, 0.3}) {
          if (c <= a && a <= b) list.push_back({"grid", family, {a, b, c}});
        }
      }
    }
  }
  return list;
}

std::vector<Motion> march(
    FunctionSystem& system, const Motion& start, double h, int steps, const Member& member) {
  Gssss integrator(system, {.family = member.family,
                            .radii = member.radii,
                            .newton_tolerance = 1e-13,
                            .resolution = 0.0,
                            .solver = "dense"});
  integrator.start(start);
  std::vector<Motion> motions{integrator.motion()};
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(integrator.step(h).ok()) << member.name;
    motions.push_back(integrator.motion());
  }
  return motions;
}

TEST(StructuralDynamics, EveryMemberFollowsADampedAndShakenBeamWithOrderTwo) {
  const Cantilever beam;
  FunctionSystem system = beam.system(true);
  const Vector u_0 = 0.02 * beam.shapes.col(0) - 0.01 * beam.shapes.col(1);
  const Vector v_0 = 0.05 * beam.shapes.col(1);
  const Motion start = beam.exact(u_0, v_0, 0.0);
  EXPECT_LT((start.state.q - u_0).norm() + (start.state.v - v_0).norm(), 1e-14);
  const double until = 1.0;
  /// Root mean squares of the errors of u, v and a over the second half: at one time alone errors
  /// of several modes may cancel.
  const auto errors = [&](int steps, const Member& member) {
    const std::vector<Motion> found = march(system, start, until / steps, steps, member);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = steps / 2; i <= steps; ++i) {
      const Motion& m = found[static_cast<std::size_t>(i)];
      const Motion exact = beam.exact(u_0, v_0, until * i / steps);
      sum +=
          Eigen::Vector3d((m.state.q - exact.state.q).squaredNorm(),
                          (m.state.v - exact.state.v).squaredNorm(), (m.a - exact.a).squaredNorm());
    }
    return Eigen::Vector3d((sum / (0.5 * steps)).cwiseSqrt());
  };
  for (const Member& member : every_member()) {
    const Eigen::Vector3d coarse = errors(1000, member);
    const Eigen::Vector3d fine = errors(2000, member);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 2.0, 0.1)
          << "u, v or a: " << i << " of " << member.name << " "
          << to_string(member.family, member.radii);
    }
    // Displacements are about 1 cm.
    EXPECT_LT(fine[0], 2e-5) << member.name;
  }
}

// The displacements of three steps and the next one satisfy the characteristic polynomial of the
// member's amplification matrix, mode by mode, whatever the step: the steps that the integrator
// takes are those of the theory, damped as it says.
TEST(StructuralDynamics, EveryMemberAmplifiesModesAsItsMatrixSays) {
  const Cantilever beam;
  FunctionSystem system = beam.system(false);
  Motion start;
  start.state.q = beam.shapes * Vector::LinSpaced(4, 0.02, -0.03);
  start.state.v = beam.shapes * Vector::LinSpaced(4, -0.1, 0.4);
  start.a = beam.M.cwiseInverse().cwiseProduct(-beam.K * start.state.q - beam.C * start.state.v);
  start.lambda.resize(0);
  for (const Member& member : every_member()) {
    for (const double h : {0.002, 0.05, 1.0}) {
      const std::vector<Motion> motions = march(system, start, h, 10, member);
      const GssssParameters p = gssss_parameters(member.family, member.radii);
      for (int k = 0; k < Cantilever::n; ++k) {
        const Eigen::Matrix3d A = amplification_matrix(p, beam.omega[k] * h, beam.ratio[k]);
        const double minors = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0) + A(0, 0) * A(2, 2) -
                              A(0, 2) * A(2, 0) + A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1);
        const auto z = [&](std::size_t i) {
          return beam.shapes.col(k).dot(beam.M.cwiseProduct(motions[i].state.q));
        };
        double largest = 0.0;
        for (std::size_t i = 0; i < motions.size(); ++i) {
          largest = std::max(largest, std::abs(z(i)));
        }
        for (std::size_t i = 1; i + 3 < motions.size(); ++i) {
          const double rest =
              z(i + 3) - A.trace() * z(i + 2) + minors * z(i + 1) - A.determinant() * z(i);
          // Newton's 1e-13, and differences of the tangent in this system.
          EXPECT_LT(std::abs(rest), 1e-8 * largest)
              << member.name << " " << to_string(member.family, member.radii) << " mode " << k
              << ", h = " << h << ", step " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace trammel::integrators::testing::structural_dynamics_test
