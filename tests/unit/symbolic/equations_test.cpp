// Equations of motion as formulas: against what solvers compute, and against textbooks.
#include "trammel/symbolic/equations.h"

#include <cmath>
#include <filesystem>

#include "support/random_models.h"
#include "support/system_view.h"
#include "unit/analysis/full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"
#include "trammel/symbolic/equation_text.h"

namespace trammel::symbolic {
namespace {

model::Description described(const std::string& text) {
  return io::read_model_text(text, "model", analysis::full_vocabulary()).description;
}

/// The generalised force of springs along lines.
double line_force(const Line& line, std::span<const double> q, const system::Vector& v, int k) {
  const double length = std::sqrt(line.squared_length.value(q));
  double rate = 0.0;
  for (int i = 0; i < static_cast<int>(v.size()); ++i) {
    rate += line.half_gradient[at(i)].value(q) * v[i] / length;
  }
  const double tension = line.spring->stiffness * (length - line.spring->length) +
                         line.spring->damping * rate + line.spring->preload;
  return -tension * line.half_gradient[at(k)].value(q) / length;
}

/// M, f, g and G of the formulas against those of the system in relative coordinates, at a place
/// where constraints do not hold: formulas are the same functions everywhere. Returns how many
/// numbers were compared.
int expect_agreement(const model::Description& description, const std::string& name) {
  const Equations equations = equations_of_motion(description);
  const auto system = formulation::compile_relative(description, formulation::HingeDrives::rows);
  support::Random random(11);
  system::State state = system->described_state();
  const int n = system->sizes().v;
  EXPECT_EQ(equations.size(), n) << name;
  system->retract(state.q, random.values(n, 0.3), state.q);
  state.v = random.values(n);
  const std::vector<double> q(state.q.data(), state.q.data() + state.q.size());
  const system::Motion motion = support::at_rest(*system, state);
  const Eigen::MatrixXd M =
      support::tangent_matrix(*system, motion, {0.0, 0.0, 1.0}).topLeftCorner(n, n);
  // Numbers of 16 digits in sums of some hundred terms.
  const double tolerance = 1e-10 * std::max(1.0, M.cwiseAbs().maxCoeff());
  int compared = 0;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j, ++compared) {
      EXPECT_NEAR(equations.mass[at(k)][at(j)].value(q), M(k, j), tolerance) << name;
    }
  }
  const bool known = std::all_of(equations.loads.begin(), equations.loads.end(),
                                 [](const Load& load) { return load.line && load.line->spring; });
  system::Vector f(n);
  system->forces(state, f);
  for (int k = 0; known && k < n; ++k, ++compared) {
    double sum = -equations.weight[at(k)].value(q);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        sum -= equations.velocity_terms[at(k)][at(i)][at(j)].value(q) * state.v[i] * state.v[j];
      }
    }
    for (const Load& load : equations.loads) sum += line_force(*load.line, q, state.v, k);
    EXPECT_NEAR(sum, f[k], 1e-10 * std::max(1.0, f.cwiseAbs().maxCoeff())) << name << " " << k;
  }
  const int rows = system->sizes().holonomic;
  EXPECT_EQ(static_cast<int>(equations.rows.size()), rows) << name;
  system::Vector g(rows);
  system->position_constraint(state, g);
  const Eigen::MatrixXd G = support::constraint_jacobian(*system, state);
  for (int r = 0; r < std::min<int>(rows, static_cast<int>(equations.rows.size())); ++r) {
    const Row& row = equations.rows[at(r)];
    if (row.motion.empty()) {
      EXPECT_NEAR(row.g.value(q), g[r], 1e-12) << name << " " << row.name;
      ++compared;
    }
    for (int k = 0; k < n; ++k, ++compared) {
      EXPECT_NEAR(row.by_x[at(k)].value(q), G(r, k), 1e-12) << name << " " << row.name;
    }
  }
  return compared;
}

// Every example whose equations can be written, and how many these are.
TEST(Equations, AreThoseThatSolversCompute) {
  int written = 0;
  int compared = 0;
  const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = entry.path().string();
    model::Description description;
    try {
      description = io::read_model_file(text, analysis::full_vocabulary()).description;
      equations_of_motion(description);
    } catch (const core::InputError& refused) {
      EXPECT_NE(std::string(refused.what()), "");
      continue;
    }
    ++written;
    compared += expect_agreement(description, entry.path().stem().string());
  }
  EXPECT_GE(written, 20);
  EXPECT_GE(compared, 300);
  RecordProperty("written", written);
  RecordProperty("compared", compared);
}

constexpr const char* spatial_arm = R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  column: {mass: 3, inertia: [0.1, 0.2, 0.3], center: [0.1, 0, 0.2], frames: {top: [0, 0, 0.5]}}
  arm: {mass: 2, inertia: [0.02, 0.3, 0.31], position: [0, 0, 0.5], center: [0.4, 0.05, 0],
        frames: {end: [0.8, 0, 0]}}
  hand: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.8, 0, 0.5], center: [0, 0, -0.1]}
joints:
  base: {type: revolute, between: [ground, column], axis: z}
  shoulder: {type: revolute, between: [column.top, arm], axis: [0.1, 1, 0]}
  spindle: {type: screw, between: [arm.end, hand], axis: z, pitch: 120 mm}
forces:
  cable: {type: spring, between: [ground, arm.end], stiffness: 300, damping: 4, length: 0.4, preload: 2}
)";

TEST(Equations, HoldInSpaceWithScrewsAndSprings) {
  EXPECT_GT(expect_agreement(described(spatial_arm), "spatial arm"), 9);
}

// The double pendulum of every textbook: two rods of 1 m and 1 kg,
//     M11 = 5/3 + cos q2, M12 = 1/3 + cos(q2)/2, M22 = 1/3, gravity m g L (3/2, 1/2).
TEST(Equations, OfTheDoublePendulumAreThoseOfTextbooks) {
  const Equations equations = equations_of_motion(described(R"(
trammel: 1
space: planar
gravity: [0, -10]
bodies:
  upper: {shape: {rod: {length: 1, mass: 1}}, position: [0.5, 0], frames: {a: [-0.5, 0], b: [0.5, 0]}}
  lower: {shape: {rod: {length: 1, mass: 1}}, position: [1.5, 0], frames: {a: [-0.5, 0]}}
joints:
  shoulder: {type: revolute, between: [ground, upper.a]}
  elbow: {type: revolute, between: [upper.b, lower.a]}
forces:
  motor: {type: actuator, coordinate: elbow.angle, formula: 3 N m * sin(2 rad/s * time)}
)"));
  const std::string text = as_text(equations, 400);
  for (const char* part :
       {"q1 = shoulder.angle [rad]", "q2 = elbow.angle [rad]",
        "(1.66667 + cos(q2)) q1'' + (0.333333 + 0.5 cos(q2)) q2'' - sin(q2) q1' q2'"
        " - 0.5 sin(q2) q2'^2 + 15 cos(q1) + 5 cos(q1 + q2) = 0",
        "0.333333 q2'' + 0.5 sin(q2) q1'^2 + 5 cos(q1 + q2) = F_motor",
        "F_motor = 3 N m * sin(2 rad/s * time)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const std::string latex = as_latex(equations);
  for (const char* part : {"\\begin{align*}", "\\cos\\left(q_{1} + q_{2}\\right)", "\\ddot{q}_{1}",
                           "F_{\\mathrm{motor}} = \\texttt{3 N m * sin(2 rad/s * time)}"}) {
    EXPECT_NE(latex.find(part), std::string::npos) << part << "\n" << latex;
  }
}

TEST(Equations, AreRefusedWithTheReason) {
  const auto reason = [](const std::string& text) -> std::string {
    try {
      equations_of_motion(described(text));
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string free = R"(
trammel: 1
space: spatial
bodies: {stone: {mass: 1, inertia: [1, 2, 3]}}
)";
  EXPECT_NE(reason(free).find("the free body 'stone'"), std::string::npos) << reason(free);
  const std::string skate = R"(
trammel: 1
space: planar
bodies: {sledge: {mass: 1, inertia: 1}}
joints: {runner: {type: skate, between: [ground, sledge]}}
)";
  EXPECT_NE(reason(skate).find("nonholonomic"), std::string::npos) << reason(skate);
}

}  // namespace
}  // namespace trammel::symbolic
