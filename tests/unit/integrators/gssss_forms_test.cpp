// The chi coefficients: as printed, and as three ways to one and the same step.
#include "trammel/integrators/gssss_forms.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace trammel::integrators {
namespace {

// x = predictor . (u, v, a) + corrector delta.
double value(const Chi& chi, const Eigen::Vector3d& now, double delta) {
  return chi.predictor[0] * now[0] + chi.predictor[1] * now[1] + chi.predictor[2] * now[2] +
         chi.corrector * delta;
}

// A step of a + 2 xi w v + w^2 u = 0 at the level, solved for the unknown of the form.
Eigen::Vector3d step(const ChiCoefficients& chi, const Eigen::Vector3d& now, double w, double xi) {
  const auto residual = [&](double delta) {
    return value(chi.level_a, now, delta) + 2.0 * xi * w * value(chi.level_v, now, delta) +
           w * w * value(chi.level_u, now, delta);
  };
  const double delta = -residual(0.0) / (residual(1.0) - residual(0.0));
  return {value(chi.u, now, delta), value(chi.v, now, delta), value(chi.a, now, delta)};
}

TEST(ChiCoefficients, GiveTheSameStepInEveryForm) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  constexpr double h = 0.02;
  constexpr double w = 30.0;
  constexpr double xi = 0.1;
  const Eigen::Vector3d now(0.3, -2.0, 11.0);
  for (int i = 0; i < 200; ++i) {
    std::array<double, 3> rho{uniform(random), uniform(random), uniform(random)};
    std::sort(rho.begin(), rho.end());
    const Family family = i % 2 == 0 ? Family::U0 : Family::V0;
    const GssssParameters p = gssss_parameters(family, {rho[1], rho[2], rho[0]});
    const Eigen::Matrix3d A = amplification_matrix(p, w * h, xi);
    const Eigen::Vector3d scale(1.0, h, h * h);
    const Eigen::Vector3d expected = (A * now.cwiseProduct(scale)).cwiseQuotient(scale);
    for (const StepForm form : {StepForm::a, StepForm::v, StepForm::d}) {
      const Eigen::Vector3d found = step(chi_coefficients(p, form, h), now, w, xi);
      // Round-off over h^2.
      EXPECT_LT((found - expected).cwiseProduct(scale).norm(), 1e-13)
          << to_string(family, {rho[1], rho[2], rho[0]});
    }
  }
}

// Table 2.2, read again: the entries of the v- and the d-form that are not zero or one.
TEST(ChiCoefficients, AreThoseOfTheTable) {
  const GssssParameters p = gssss_parameters(Family::V0, {0.7, 0.9, 0.4});
  constexpr double h = 0.01;
  const double tight = 1e-12;  // round-off, with 1/h^2 in some entries
  const ChiCoefficients v = chi_coefficients(p, StepForm::v, h);
  EXPECT_NEAR(v.u.predictor[2], (0.5 - p.l3 / p.l5) * h * h, tight);
  EXPECT_NEAR(v.a.predictor[2], 1.0 - 1.0 / p.l5, tight);
  EXPECT_NEAR(v.level_u.predictor[2], (p.l2_w2 - p.l3_w3 / p.l5) * h * h, tight);
  EXPECT_NEAR(v.level_v.predictor[2], (p.w1 - p.l5_w2 / p.l5) * h, tight);
  EXPECT_NEAR(v.level_a.predictor[2], 1.0 - p.l6_w1 / p.l5, tight);
  EXPECT_NEAR(v.u.corrector, p.l3 / p.l5 * h, tight);
  EXPECT_NEAR(v.a.corrector, 1.0 / (p.l5 * h), 100.0 * tight);
  EXPECT_NEAR(v.level_a.corrector, p.l6_w1 / (p.l5 * h), 100.0 * tight);
  const ChiCoefficients d = chi_coefficients(p, StepForm::d, h);
  EXPECT_NEAR(d.v.predictor[1], 1.0 - p.l5 / p.l3, tight);
  EXPECT_NEAR(d.v.predictor[2], (1.0 - 0.5 * p.l5 / p.l3) * h, tight);
  EXPECT_NEAR(d.a.predictor[1], -1.0 / (p.l3 * h), 1000.0 * tight);
  EXPECT_NEAR(d.a.predictor[2], 1.0 - 0.5 / p.l3, tight);
  EXPECT_NEAR(d.level_u.predictor[1], (p.w1 - p.l3_w3 / p.l3) * h, tight);
  EXPECT_NEAR(d.level_v.predictor[1], 1.0 - p.l5_w2 / p.l3, tight);
  EXPECT_NEAR(d.level_a.predictor[1], -p.l6_w1 / (p.l3 * h), 1000.0 * tight);
  EXPECT_NEAR(d.level_a.corrector, p.l6_w1 / (p.l3 * h * h), 1e6 * tight);
  EXPECT_NEAR(d.u.corrector, 1.0, tight);
}

}  // namespace
}  // namespace trammel::integrators
