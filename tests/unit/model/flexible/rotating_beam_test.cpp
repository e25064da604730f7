// Frequencies of a beam that turns about its clamped end, across its plane (flapping), against
// those of the theory.
#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/model/flexible/spatial_beam.h"
#include "trammel/model/model_system.h"

namespace trammel::model::rotating_beam_test {
namespace {

using Eigen::MatrixXd;

// Length, mass of a metre and bending stiffness 1, so slender that only bending counts.
Description slender_beam(BeamMass mass, int elements) {
  Description d;
  d.space = Space::spatial;
  SpatialBeam beam;
  beam.name = "beam";
  beam.formulation = "geometrically_exact";
  beam.element = "reissner";
  beam.elements = elements;
  beam.tip = {1.0, 0.0, 0.0};
  beam.across.given = BeamSection{.force = {1e7, 1e7, 1e7},
                                  .moment = {1.0, 1.0, 1.0},
                                  .mass = 1.0,
                                  .inertia = {2e-7, 1e-7, 1e-7}};
  beam.beam_mass = mass;
  add_spatial_beam(beam, d);
  return d;
}

/// In the order of the freedoms: of nodes from the second on, these of their six.
std::vector<Eigen::Index> freedoms(Eigen::Index nodes, const std::vector<int>& components) {
  std::vector<Eigen::Index> list;
  for (Eigen::Index k = 1; k < nodes; ++k) {
    for (const int c : components) list.push_back(6 * k + c);
  }
  return list;
}

/// The beam at rest in axes that turn with `speed` about z: stretched along x.
system::Motion turning(ModelSystem& system, double speed) {
  system::Motion motion = support::at_rest(system, system.described_state());
  const Eigen::Index nodes = motion.a.size() / 6;
  const std::vector<Eigen::Index> along = freedoms(nodes, {0});
  for (int iteration = 0; iteration < 6; ++iteration) {
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const double x = motion.state.q[7 * k];
      motion.state.v.segment<6>(6 * k) << 0.0, speed * x, 0.0, 0.0, 0.0, speed;
      motion.a.segment<6>(6 * k) << -speed * speed * x, 0.0, 0.0, 0.0, 0.0, 0.0;
    }
    system::Vector r;
    system::Vector rows;
    system.residual(motion, r, rows);
    const MatrixXd K = support::tangent_matrix(system, motion, {.position = 1.0});
    const MatrixXd M = support::tangent_matrix(system, motion, {.acceleration = 1.0});
    const MatrixXd J = K(along, along) - speed * speed * M(along, along);
    const Eigen::VectorXd change = J.partialPivLu().solve(r(along));
    for (Eigen::Index k = 1; k < nodes; ++k) motion.state.q[7 * k] -= change[k - 1];
  }
  return motion;
}

/// Frequencies across the plane of rotation, in the unit sqrt(E I/(rho A L^4)).
Eigen::VectorXd flapping(BeamMass mass, int elements, double speed) {
  const auto system = compile(slender_beam(mass, elements));
  const system::Motion motion = turning(*system, speed);
  const std::vector<Eigen::Index> across = freedoms(motion.a.size() / 6, {2, 4});
  const MatrixXd K = support::tangent_matrix(*system, motion, {.position = 1.0});
  const MatrixXd M = support::tangent_matrix(*system, motion, {.acceleration = 1.0});
  MatrixXd stiffness = K(across, across);
  stiffness = 0.5 * (stiffness + stiffness.transpose()).eval();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(stiffness,
                                                                 MatrixXd(M(across, across)));
  return modes.eigenvalues().cwiseSqrt();
}

struct Row {
  double speed;
  std::array<double, 3> frequencies;
};

// Hub of no radius [Wright1982].
constexpr std::array<Row, 4> theory{{{0.0, {3.51602, 22.0345, 61.6972}},
                                     {2.0, {4.13732, 22.6149, 62.2732}},
                                     {6.0, {7.36037, 26.8091, 66.6839}},
                                     {12.0, {13.1702, 37.6031, 79.6145}}}};

TEST(RotatingBeam, FlapsWithTheFrequenciesOfTheTheory) {
  for (const BeamMass mass : {BeamMass::lumped, BeamMass::consistent}) {
    for (const Row& row : theory) {
      const Eigen::VectorXd coarse = flapping(mass, 40, row.speed);
      const Eigen::VectorXd fine = flapping(mass, 80, row.speed);
      for (std::size_t i = 0; i < 3; ++i) {
        const auto n = static_cast<Eigen::Index>(i);
        EXPECT_NEAR(fine[n] / row.frequencies[i], 1.0, 1e-3) << row.speed << ", " << i;
        // Extrapolated by their second order, they have the digits of the table; the fourth order
        // of the highest leaves 1e-5.
        EXPECT_NEAR((fine[n] + (fine[n] - coarse[n]) / 3.0) / row.frequencies[i], 1.0, 2e-5)
            << row.speed << ", " << i;
      }
    }
  }
}

// Without rotation: the roots of cos b cosh b = -1, squared; of the consistent mass with an error
// of fourth order, as long as it is far above that of shear and rotary inertia, 1e-5.
TEST(RotatingBeam, ConsistentFrequenciesOfBendingConvergeWithTheFourthPower) {
  const std::array exact{3.516015268500151, 22.034491564666773, 61.697214413549105};
  const Eigen::VectorXd coarse = flapping(BeamMass::consistent, 4, 0.0);
  const Eigen::VectorXd fine = flapping(BeamMass::consistent, 8, 0.0);
  for (std::size_t i = 1; i < exact.size(); ++i) {
    const auto n = static_cast<Eigen::Index>(i);
    const double order = std::log2((coarse[n] / exact[i] - 1.0) / (fine[n] / exact[i] - 1.0));
    EXPECT_NEAR(order, 4.0, 0.4) << i;
    EXPECT_LT(fine[n] / exact[i] - 1.0, 1e-3) << i;
  }
}

}  // namespace
}  // namespace trammel::model::rotating_beam_test
