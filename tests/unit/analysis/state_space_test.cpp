// Integration in independent coordinates on models: the exact Jacobian against differences, changes
// of coordinates, names, and the three examples of [Haug1997].
#include <cmath>

#include "analysis_models.h"
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
      {"quick_return_prescribed", example("quick_return", "quick_return")},
      {"pendulum_with_spring_and_damper", haug("double_pendulum")},
      {"guided_rod", haug("slider_crank")},
      {"seven_bodies", haug("seven_bodies"), 1e-4},
      {"friction_loaded_by_reactions", described(loaded_slider), 2e-3},
      {"spatial_slider_crank", example("spatial_slider_crank", "spatial_slider_crank")},
      {"bricard_with_redundant_rows", example("bricard", "bricard")},
      {"heavy_top", example("heavy_top", "heavy_top"), 1e-3},
      {"gyroscope", example("gyroscope", "gyroscope"), 1e-3},
      {"hooke_drive_line", example("hooke_drive_line", "hooke_drive_line"), 1e-3},
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
    const int nd = form.freedoms();
    if (nd == 0) {
      EXPECT_EQ(GetParam().name, "quick_return_prescribed");  // as many drives as freedoms
      return;
    }
    const RuleWeights weights{0.25 * h * h, 0.5 * h, 0.5 * h};
    Residual psi(form, now, weights, h);
    Vector s;
    form.project_velocity(now.a, s);
    // Positions move by a ten-thousandth of their scale: 1e-12 of what is left out and round-off.
    const Vector steps = 1e-4 / weights.position * form.independent_scale();
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
  const auto n = static_cast<Eigen::Index>(system->sizes().v);
  Eigen::MatrixXd stiffness(n, n);
  system::KktMatrix matrix(system->pattern());
  system::Motion without = form.motion();
  without.lambda.setZero();
  system->tangent(form.motion(), {.position = 1.0}, nullptr, matrix);
  integrators::multiply_block(matrix, Eigen::MatrixXd::Identity(n, n), stiffness);
  Eigen::MatrixXd unloaded(n, n);
  system->tangent(without, {.position = 1.0}, nullptr, matrix);
  integrators::multiply_block(matrix, Eigen::MatrixXd::Identity(n, n), unloaded);
  Eigen::MatrixXd mass(n, n);
  integrators::multiply_block(form.mass(), Eigen::MatrixXd::Identity(n, n), mass);
  const Eigen::MatrixXd difference = Z.transpose() * (mass * E + b * (stiffness - unloaded) * Z);
  EXPECT_LT(relative_difference(exact - quasi, difference), 1e-9);
  EXPECT_GT(difference.cwiseAbs().maxCoeff(), 1e-6 * exact.cwiseAbs().maxCoeff());
}

// ---- runs with fixed steps, as the source makes them

struct FixedRun {
  bool ok = true;
  double mean_iterations = 0.0;
  system::Motion end;
  std::vector<std::string> notes;
  int changes = 0;
};

FixedRun run_fixed(const model::Description& description,
                   const std::string& method,
                   const Settings& settings,
                   double h,
                   double until) {
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  const auto integrator =
      integrators::find_integrator_kind(method)->make(*system, settings, "auto");
  integrator->start(assembly.motion);
  const auto steps = static_cast<int>(std::ceil(until / h - 1e-9));
  FixedRun run;
  for (int i = 0; i < steps && run.ok; ++i) {
    run.ok = integrator->step(h).ok();
    const Vector& v = integrator->motion().state.v;
    run.ok = run.ok && v.allFinite() && v.lpNorm<Eigen::Infinity>() < 1e4;
    if (run.ok) system->accept(integrator->motion().state);
  }
  run.end = integrator->motion();
  run.notes = integrator->notes();
  run.mean_iterations = static_cast<double>(integrator->statistics().iterations) / steps;
  if (const auto* state_space =
          dynamic_cast<const integrators::StateSpaceIntegrator*>(integrator.get())) {
    run.changes = state_space->form().partition_changes();
  }
  return run;
}

Settings of(const std::string& iteration,
            const std::string& predictor,
            std::vector<std::string> independent) {
  return {{"iteration", iteration},
          {"predictor", predictor},
          {"independent", std::move(independent)},
          {"repartition_above", 0.0}};
}

const std::vector<std::string> pendulum_angles{"bar1.angle", "bar2.angle"};

// Margins around the limits of a prototype: 0.014 s, above 0.05 s, 0.125 ms.
TEST(HaugDoublePendulum, TakesTheStepsOfTheSource) {
  const model::Description d = haug("double_pendulum");
  EXPECT_TRUE(
      run_fixed(d, "state-space-newmark", of("newton", "taylor", pendulum_angles), 0.01, 0.1).ok);
  EXPECT_TRUE(
      run_fixed(d, "state-space-newmark", of("newton", "hold", pendulum_angles), 0.02, 0.1).ok);
  const Settings explicit_settings{{"independent", pendulum_angles}, {"repartition_above", 0.0}};
  EXPECT_TRUE(run_fixed(d, "state-space-abm2", explicit_settings, 1.15e-4, 0.1).ok);
  EXPECT_FALSE(run_fixed(d, "state-space-abm2", explicit_settings, 1.4e-4, 0.1).ok);
}

TEST(HaugDoublePendulum, NeedsFewerIterationsWithTheExactJacobian) {
  const model::Description d = haug("double_pendulum");
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "hold", pendulum_angles), 0.0089, 0.1);
  const FixedRun quasi = run_fixed(d, "state-space-newmark",
                                   of("fisette-vaneghem", "hold", pendulum_angles), 0.0089, 0.1);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, quasi.mean_iterations);
}

// As published: columns as they are, tenfold growth of the condition. It begins with bar1's angle
// and bar2's height, which goes out of use when bar2 hangs down at 0.26 s.
TEST(HaugDoublePendulum, KeepsItsOrderWhenCoordinatesChange) {
  const model::Description d = haug("double_pendulum");
  const Settings settings{{"columns", "plain"}, {"repartition_above", 10.0}};
  const auto run = [&](double h) { return run_fixed(d, "state-space-newmark", settings, h, 0.5); };
  const FixedRun coarse = run(2e-3);
  const FixedRun fine = run(1e-3);
  const FixedRun reference = run(1.0 / 16000.0);
  ASSERT_TRUE(coarse.ok && fine.ok && reference.ok);
  EXPECT_EQ(coarse.changes, 1);
  ASSERT_EQ(coarse.notes.size(), 2U);
  EXPECT_NE(coarse.notes[0].find("bar1.angle, bar2.position.y"), std::string::npos)
      << coarse.notes[0];
  EXPECT_NE(coarse.notes[1].find("t = 0.2"), std::string::npos) << coarse.notes[1];
  const double e1 = (coarse.end.state.q - reference.end.state.q).norm();
  const double e2 = (fine.end.state.q - reference.end.state.q).norm();
  // The reference is wrong by (1/16)^2 of the finer one.
  EXPECT_NEAR(std::log2(e1 / e2), 2.0, 0.2) << e1 << " " << e2;
}

// At the start the tip presses the spring by 0.1 m: the crank's angular acceleration is 83.3
// rad/s^2.
TEST(HaugSliderCrank, TakesTheStepsOfTheSource) {
  const model::Description d = haug("slider_crank");
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(std::abs(assembly.motion.a[2]), 83.3333333333, 1e-8);
  const std::vector<std::string> crank{"crank.angle"};
  EXPECT_TRUE(run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 0.06, 0.1).ok);
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 0.0086, 0.1);
  const FixedRun quasi =
      run_fixed(d, "state-space-newmark", of("fisette-vaneghem", "taylor", crank), 0.0086, 0.1);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, 0.8 * quasi.mean_iterations);
}

TEST(HaugSevenBodies, TakeTheStepsOfTheSource) {
  const model::Description d = haug("seven_bodies");
  const std::vector<std::string> crank{"k1.angle"};
  EXPECT_TRUE(run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 1e-3, 0.035).ok);
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "hold", crank), 1e-4, 0.035);
  const FixedRun quasi =
      run_fixed(d, "state-space-newmark", of("fisette-vaneghem", "hold", crank), 1e-4, 0.035);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, quasi.mean_iterations);
}

// The original mechanism: beta(0.03 s) = 15.810771196 [Hairer & Wanner 1996, VII.7].
TEST(HaugSevenBodies, ReproduceAndrewsSolution) {
  model::Description d = haug("seven_bodies");
  for (model::Item& force : d.forces) {
    if (force.name != "spring") continue;
    force.values["stiffness"] = 4530.0;
    force.values["damping"] = 0.0;
  }
  const auto angle = [&](double h) {
    const FixedRun run = run_fixed(d, "state-space-newmark", {}, h, 0.03);
    EXPECT_TRUE(run.ok);
    return run.end.state.q[2];
  };
  const double exact = 15.810771196;
  const double coarse = std::abs(angle(1e-5) - exact);
  const double fine = std::abs(angle(5e-6) - exact);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " " << fine;
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
