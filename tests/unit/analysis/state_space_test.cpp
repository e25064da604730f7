// Integration in independent coordinates on models: the exact Jacobian against differences and
// against the matrices of [Haug1997], planes, names. The runs of the source:
// haug_examples_test.cpp.
#include <cmath>

#include "analysis_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/state_space_newmark.h"
#include "trammel/integrators/state_space_tangent.h"

namespace trammel::analysis::state_space_test {
namespace {

using integrators::RuleWeights;
using integrators::Settings;
using integrators::StateIteration;
using integrators::StateSpaceForm;
using integrators::StateSpaceOptions;
using integrators::StateSpaceTangent;
using system::Vector;

model::Description example(const std::string& folder, const std::string& file) {
  const std::string path =
      std::string(TRAMMEL_SOURCE_DIR) + "/examples/" + folder + "/" + file + ".yaml";
  return io::read_model_file(path, full_vocabulary()).description;
}

model::Description haug(const std::string& file) {
  return example("haug", file);
}

// ---- the Jacobian

/// Psi as a function of s, for a rule with given weights: everything as the integrator does it.
class Residual {
 public:
  Residual(StateSpaceForm& form, const system::Motion& now, const RuleWeights& weights, double h)
      : form_(form), now_(now), weights_(weights), h_(h) {}

  Vector operator()(const Vector& s) {
    form_.begin_step(now_);
    const int nd = form_.freedoms();
    const int nk = form_.carried();
    Vector x;
    Vector v;
    form_.project_velocity(h_ * now_.state.v + 0.25 * h_ * h_ * now_.a, x);
    form_.project_velocity(now_.state.v + 0.5 * h_ * now_.a, v);
    v += weights_.velocity * s;
    Vector p(nd + nk);
    p.head(nd) = x + weights_.position * s;
    const auto& independent = form_.partition().independent;
    // Carried coordinates: x_K = h v_K,n / 2 + k v_K.
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < nk; ++i) {
        const int k = independent[static_cast<std::size_t>(nd + i)];
        p[nd + i] = 0.5 * h_ * now_.state.v[k] + weights_.carried * form_.motion().state.v[k];
      }
      EXPECT_EQ(form_.set_positions(now_.state.t + h_, p), integrators::Failure::none);
      form_.set_velocities(v);
      if (nk == 0) break;
    }
    form_.set_accelerations(s);
    Vector psi;
    EXPECT_TRUE(form_.set_multipliers(psi));
    return psi;
  }

 private:
  StateSpaceForm& form_;
  system::Motion now_;
  RuleWeights weights_;
  double h_;
};

/// Differences of fourth order of any quantity that f returns, by each entry of s.
template <class F>
Eigen::MatrixXd differences(const Vector& s, const Vector& steps, F f) {
  Eigen::MatrixXd result;
  for (Eigen::Index j = 0; j < s.size(); ++j) {
    const auto at = [&](double share) -> Vector {
      Vector moved = s;
      moved[j] += share * steps[j];
      return f(moved);
    };
    const Vector near = at(1.0) - at(-1.0);
    const Vector far = at(2.0) - at(-2.0);
    const Vector column = (8.0 * near - far) / (12.0 * steps[j]);
    if (j == 0) result.resize(column.size(), s.size());
    result.col(j) = column;
  }
  return result;
}

double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const double size = b.cwiseAbs().maxCoeff();
  return (a - b).cwiseAbs().maxCoeff() / (size > 0.0 ? size : 1.0);
}

struct Case {
  std::string name;
  model::Description description;
  double h = 5e-3;
  /// By which differences move positions, in their scales: 1e-12 of what they leave out, and of
  /// round-off. Friction takes less: the size of a reaction, which bends where accelerations change
  /// it by as much as it is.
  double distance = 1e-4;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

const char* const loaded_slider = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  crank: {mass: 0.5, inertia: 2e-3, angle: 50 deg, position: [0, 0], angular_velocity: 8 rad/s,
    frames: {tip: [0.15, 0]}}
  rod: {mass: 1, inertia: 0.02, angle: -14.8 deg, position: [0.0964, 0.1149], frames: {tip: [0.45, 0]}}
  slider: {mass: 0.7, inertia: 1e-3, position: [0.5315, 0]}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: [crank.tip, rod]}
  c: {type: revolute, between: [rod.tip, slider]}
  rail: {type: prismatic, between: [ground, slider], axis: x}
forces:
  dry: {type: joint_friction, coordinate: a.angle, friction: 0.2, radius: 20 mm, slip_speed: 0.1 m/s}
  spring: {type: spring, between: [ground, slider], stiffness: 300 N/m, damping: 5 N s/m, length: 0.4 m}
)";

std::vector<Case> cases() {
  std::vector<Case> list{
      {"slider_crank", example("slider_crank", "slider_crank")},
      {"spring_four_bar", example("spring_four_bar", "spring_four_bar")},
      {"crane_with_drives", example("crane", "crane")},
      {"pendulum_with_spring_and_damper", haug("double_pendulum")},
      {"guided_rod", haug("slider_crank")},
      {"seven_bodies", haug("seven_bodies"), 1e-4},
      {"friction_loaded_by_reactions", described(loaded_slider), 2e-3, 1e-7},
      {"spatial_slider_crank", example("spatial_slider_crank", "spatial_slider_crank")},
      {"bricard_with_redundant_rows", example("bricard", "bricard")},
      {"heavy_top", example("heavy_top", "heavy_top"), 1e-3},
      {"gyroscope", example("gyroscope", "gyroscope"), 1e-3},
      {"kapitza_with_a_driven_pivot", example("kapitza", "kapitza"), 1e-4},
      {"rolling_disc", example("rolling_disc", "rolling_disc")},
      {"skate_on_a_slope", example("inclined_skate", "inclined_skate")},
  };
  return list;
}

class ExactJacobian : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Mechanisms,
                         ExactJacobian,
                         ::testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param.name; });

TEST_P(ExactJacobian, IsTheDerivativeOfTheResidual) {
  const double h = GetParam().h;
  const auto system = model::compile(GetParam().description);
  const Assembly assembly = assemble(*system);
  // A few steps, so that everything moves.
  integrators::StateSpaceNewmark integrator(*system, {});
  integrator.start(assembly.motion);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(integrator.step(h).ok());
  const system::Motion now = integrator.motion();
  for (const char* partition : {"lu", "svd"}) {
    SCOPED_TRACE(partition);
    StateSpaceOptions options;
    if (system->sizes().nonholonomic == 0) apply({{"partition", partition}}, options);
    StateSpaceForm form(*system, options);
    form.start(now);
    ASSERT_GT(form.freedoms(), 0);
    const RuleWeights weights{0.25 * h * h, 0.5 * h, 0.5 * h};
    Residual psi(form, now, weights, h);
    Vector s;
    form.project_velocity(now.a, s);
    const Vector steps = GetParam().distance / weights.position * form.independent_scale();
    const Eigen::MatrixXd by_differences = differences(s, steps, std::ref(psi));
    const Eigen::MatrixXd of_velocities = differences(s, steps, [&](const Vector& moved) -> Vector {
      psi(moved);
      return form.motion().state.v;
    });
    const Eigen::MatrixXd of_accelerations =
        differences(s, steps, [&](const Vector& moved) -> Vector {
          psi(moved);
          return form.motion().a;
        });
    const Eigen::MatrixXd of_multipliers =
        differences(s, steps, [&](const Vector& moved) -> Vector {
          psi(moved);
          return form.motion().lambda;
        });
    psi(s);
    StateSpaceTangent tangent(form);
    EXPECT_LT(
        relative_difference(tangent.jacobian(weights, StateIteration::newton), by_differences),
        1e-6);
    EXPECT_LT(relative_difference(tangent.of_velocities(), of_velocities), 1e-6);
    EXPECT_LT(relative_difference(tangent.of_accelerations(), of_accelerations), 1e-6);
    EXPECT_LT(relative_difference(tangent.of_multipliers(), of_multipliers), 1e-6);
  }
}

// ---- the source's matrices

Eigen::MatrixXd block(const Eigen::MatrixXd& A,
                      const std::vector<int>& rows,
                      const std::vector<int>& columns) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = A(rows[i], columns[j]);
    }
  }
  return result;
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& A, const std::vector<int>& rows) {
  std::vector<int> all(static_cast<std::size_t>(A.cols()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
  return block(A, rows, all);
}

/// dr/dq, dr/dv or M.
Eigen::MatrixXd load_tangent(system::MechanicalSystem& system,
                             const system::Motion& motion,
                             const system::Weights& weights) {
  const int n = system.sizes().v;
  return support::tangent_matrix(system, motion, weights).topLeftCorner(n, n);
}

class SourceMatrices : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Haug,
                         SourceMatrices,
                         ::testing::Values("double_pendulum", "slider_crank", "seven_bodies"),
                         [](const auto& each) { return each.param; });

// Eqs. 27, 29, 34, 35 and 36 from H, J, L, N, R and S as they are printed (corrected), block by
// block, against the form without partitions.
TEST_P(SourceMatrices, MakeTheSameJacobian) {
  const auto system = model::compile(haug(GetParam()));
  const Assembly assembly = assemble(*system);
  integrators::StateSpaceNewmark integrator(*system, {});
  integrator.start(assembly.motion);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(integrator.step(1e-3).ok());
  StateSpaceForm form(*system, {});
  form.start(integrator.motion());
  form.begin_step(integrator.motion());
  StateSpaceTangent tangent(form);
  const std::vector<int>& u = form.partition().dependent;
  const std::vector<int>& v = form.partition().independent;
  const Eigen::MatrixXd Z = form.velocity_coordinates().basis();

  const Eigen::MatrixXd H = rows_of(Z, u);
  tangent.jacobian({1.0, 0.0, 0.0}, StateIteration::newton);
  const Eigen::MatrixXd J = rows_of(tangent.of_velocities(), u);
  const Eigen::MatrixXd L = rows_of(tangent.of_accelerations() - Z, u);
  tangent.jacobian({0.0, 1.0, 0.0}, StateIteration::newton);
  const Eigen::MatrixXd N = rows_of(tangent.of_accelerations() - Z, u);
  EXPECT_LT(relative_difference(N, 2.0 * J), 1e-9);

  // K_q = (M a)_q + (Phi_q^T lambda)_q - Q_q, K_v = -Q_v.
  const Eigen::MatrixXd K_q = load_tangent(*system, form.motion(), {.position = 1.0});
  const Eigen::MatrixXd K_v = load_tangent(*system, form.motion(), {.velocity = 1.0});
  const Eigen::MatrixXd M = load_tangent(*system, form.motion(), {.acceleration = 1.0});
  const Eigen::MatrixXd R =
      block(K_q, u, u) * H + block(K_q, u, v) + block(K_v, u, u) * J + block(M, u, u) * L;
  const Eigen::MatrixXd S = block(K_v, u, u) * H + block(K_v, u, v) + block(M, u, u) * N;
  const double b = 2e-5;
  const double g = 3e-3;
  const Eigen::MatrixXd exact = tangent.jacobian({b, g, g}, StateIteration::newton);
  const Eigen::MatrixXd literal =
      block(M, v, v) + block(M, v, u) * H + H.transpose() * (block(M, u, v) + block(M, u, u) * H) +
      g * (block(M, v, u) * N + H.transpose() * S + block(K_v, v, v) + block(K_v, v, u) * H) +
      b * (block(K_q, v, u) * H + block(K_q, v, v) + block(M, v, u) * L + H.transpose() * R +
           block(K_v, v, u) * J);
  EXPECT_LT(relative_difference(exact, literal), 1e-11);
  // Phi_u^T lambda_vdd = -(b R + g S + M^uv + M^uu H).
  const Eigen::MatrixXd G = support::constraint_jacobian(*system, form.motion().state);
  const Eigen::MatrixXd reactions = rows_of(G.transpose() * tangent.of_multipliers(), u);
  const Eigen::MatrixXd loads = -(b * R + g * S + block(M, u, v) + block(M, u, u) * H);
  EXPECT_LT(relative_difference(reactions, loads), 1e-10);
}

// Eq. 40: what Fisette and Vaneghem leave out.
TEST(FisetteVaneghem, LeaveOutWhatTheSourceSays) {
  const auto system = model::compile(haug("slider_crank"));
  const Assembly assembly = assemble(*system);
  integrators::StateSpaceNewmark integrator(*system, {});
  integrator.start(assembly.motion);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(integrator.step(5e-3).ok());
  StateSpaceForm form(*system, {});
  form.start(integrator.motion());
  form.begin_step(integrator.motion());
  StateSpaceTangent tangent(form);
  const double b = 2e-5;
  const double g = 3e-3;
  const RuleWeights weights{b, g, g};
  const Eigen::MatrixXd exact = tangent.jacobian(weights, StateIteration::newton);
  const Eigen::MatrixXd Z = form.velocity_coordinates().basis();
  const Eigen::MatrixXd E = tangent.of_accelerations() - Z;  // g N + b L
  const Eigen::MatrixXd quasi = tangent.jacobian(weights, StateIteration::fisette_vaneghem);
  // (G^T lambda)_q: the difference of two tangents.
  system::Motion without = form.motion();
  without.lambda.setZero();
  const Eigen::MatrixXd stiffness = load_tangent(*system, form.motion(), {.position = 1.0});
  const Eigen::MatrixXd unloaded = load_tangent(*system, without, {.position = 1.0});
  const Eigen::MatrixXd mass = load_tangent(*system, form.motion(), {.acceleration = 1.0});
  const Eigen::MatrixXd difference = Z.transpose() * (mass * E + b * (stiffness - unloaded) * Z);
  EXPECT_LT(relative_difference(exact - quasi, difference), 1e-9);
  EXPECT_GT(difference.cwiseAbs().maxCoeff(), 1e-6 * exact.cwiseAbs().maxCoeff());
}

// Two bases of one plane: the rule is linear in them, so that the motion is the same.
TEST(StateSpacePlanes, GiveTheSameMotionWhateverTheirBasis) {
  const auto end = [](const std::string& partition) {
    const auto system = model::compile(haug("double_pendulum"));
    const auto integrator = integrators::find_integrator_kind("state-space-newmark")
                                ->make(*system, {{"partition", partition}}, "auto");
    integrator->start(assemble(*system).motion);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(integrator->step(2e-3).ok());
    return integrator->motion().state.q;
  };
  const Vector plane = end("svd");
  EXPECT_LT((end("null-space") - plane).norm(), 1e-9);
  // Other coordinates give another motion, by the error of the rule.
  EXPECT_GT((end("lu") - plane).norm(), 1e-7);
}

// ---- in a run

TEST(StateSpaceRuns, TellTheirCoordinatesByTheirNames) {
  model::Description d = haug("slider_crank");
  for (const auto& [coordinates, name] :
       {std::pair("absolute", "crank.angle"), std::pair("relative", "A.angle")}) {
    d.simulation.coordinates = coordinates;
    d.simulation.integrator_values["independent"] = std::vector<std::string>{name};
    const auto compiled = formulation::compile_model(d);
    const SimulationReport report = simulate(*compiled.system, d.simulation);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
    ASSERT_FALSE(report.notes.empty());
    EXPECT_NE(report.notes.front().find(std::string("independent coordinates: ") + name),
              std::string::npos)
        << report.notes.front();
  }
  d.simulation.coordinates = "absolute";
  d.simulation.integrator_values["independent"] = std::vector<std::string>{"crank.angel"};
  const auto system = model::compile(d);
  EXPECT_THROW(simulate(*system, d.simulation), core::InputError);
  // Its centre of mass begins to move sideways: its height does not tell where it is.
  d.simulation.integrator_values["independent"] = std::vector<std::string>{"crank.position.y"};
  EXPECT_THROW(simulate(*system, d.simulation), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::state_space_test
