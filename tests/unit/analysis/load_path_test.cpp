// Paths of equilibria through limit points and past buckling, against closed forms.
#include "trammel/analysis/load_path.h"

#include <cmath>

#include "analysis_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::load_path_test {
namespace {

double channel(model::ModelSystem& system, const system::Motion& motion, const std::string& name) {
  Observer observer(system);
  const std::vector<double>& values = observer.observe(motion);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (observer.quantities()[i].name == name) return values[i];
  }
  ADD_FAILURE() << "no channel " << name;
  return NAN;
}

// The shallow truss of von Mises: two bars of stiffness k and length L_0 over a span of 2 a, its
// top at the height v. Springs, or elastic bars. A load P, positive down, holds
//     P = 2 k (L_0 - L) v/L,   L^2 = a^2 + v^2,
// which is greatest, and least, where L^3 = L_0 a^2.
struct VonMises {
  double k = 1000.0;
  double a = 1.0;
  double v_0 = 0.2;
  double L_0 = std::hypot(1.0, 0.2);

  double load(double v) const {
    const double L = std::hypot(a, v);
    return 2.0 * k * (L_0 - L) * v / L;
  }
  double limit() const { return load(std::sqrt(std::pow(L_0 * a * a, 2.0 / 3.0) - a * a)); }
};

const char* const springs = R"yaml(
trammel: 1
space: planar
ground: {frames: {left: [-1, 0], right: [1, 0]}}
bodies:
  top: {kind: point, mass: 1 kg, position: [0, 0.2]}
forces:
  one: {type: spring, between: [ground.left, top], stiffness: 1000, length: "sqrt(1.04)"}
  two: {type: spring, between: [ground.right, top], stiffness: 1000, length: "sqrt(1.04)"}
  load: {type: general_force, between: [ground, top], force_y: "-time*1 N/s"}
)yaml";

const char* const bars = R"yaml(
trammel: 1
space: planar
ground: {frames: {left: [-1, 0], right: [1, 0]}}
materials: {rubber: {density: 100, youngs_modulus: "1e6*sqrt(1.04)"}}
sections: {rod: {area: 1e-3}}
flexible:
  one: {formulation: inertial, element: bar, elements: 1, material: rubber, section: rod, start: [-1, 0], tip: [0, 0.2]}
  two: {formulation: inertial, element: bar, elements: 1, material: rubber, section: rod, start: [1, 0], tip: [0, 0.2]}
joints:
  left: {type: revolute, between: [ground.left, one.start]}
  right: {type: revolute, between: [ground.right, two.start]}
  top: {type: revolute, between: [one.tip, two.tip]}
forces:
  load: {type: general_force, between: [ground, one.tip], force_y: "-time*1 N/s"}
)yaml";

TEST(LoadPath, OfTheShallowTrussSnapsThrough) {
  const VonMises truss;
  for (const auto& [text, top] : {std::pair(springs, "top"), std::pair(bars, "one.tip")}) {
    SCOPED_TRACE(top);
    const auto system = model::compile(described(text));
    const LoadPath path = follow_load(*system, {.until = 2.0 * truss.limit(), .step = 0.01});
    EXPECT_EQ(path.end, PathEnd::reached);
    // Every point lies on the curve, down to where the truss hangs.
    for (const PathPoint& point : path.points) {
      const double v = channel(*system, point.motion, std::string(top) + ".position.y");
      EXPECT_NEAR(point.motion.state.t, truss.load(v), 1e-9 * truss.limit()) << v;
    }
    EXPECT_LT(channel(*system, path.points.back().motion, std::string(top) + ".position.y"), -0.2);
    EXPECT_NEAR(path.points.back().motion.state.t, 2.0 * truss.limit(), 1e-12);
    // Over the hill and through the valley; sideways it is stiff enough to stay.
    ASSERT_EQ(path.critical.size(), 2U);
    EXPECT_EQ(path.critical[0].kind, CriticalKind::limit);
    EXPECT_EQ(path.critical[1].kind, CriticalKind::limit);
    // Bisection to 1e-10 of a step; the load is flat there.
    EXPECT_NEAR(path.critical[0].at.motion.state.t, truss.limit(), 1e-9 * truss.limit());
    EXPECT_NEAR(path.critical[1].at.motion.state.t, -truss.limit(), 1e-9 * truss.limit());
  }
}

// Euler's column, clamped at its foot: it buckles at pi^2 E I/(4 L^2). Past it the tip goes aside
// and the load grows.
TEST(LoadPath, OfAColumnForksAtEulersLoad) {
  const auto column = [](int elements) {
    return model::compile(described(fmt::format(R"yaml(
trammel: 1
space: planar
materials: {{steel: {{density: 7850, youngs_modulus: 2e11}}}}
sections: {{strip: {{area: 1e-4, second_moment: 1e-9}}}}
ground: {{frames: {{foot: {{position: [0, 0], angle: 90 deg}}}}}}
flexible:
  column: {{formulation: inertial, elements: {}, material: steel, section: strip, tip: [0, 1]}}
joints: {{foot: {{type: fixed, between: [ground.foot, column.start]}}}}
forces: {{load: {{type: general_force, between: [ground, column.tip], force_y: "-time*1 N/s"}}}}
)yaml",
                                                elements)));
  };
  const double euler = M_PI * M_PI * 200.0 / 4.0;
  const auto buckling = [&](int elements) {
    const auto system = column(elements);
    const LoadPath path = follow_load(*system, {.until = 1.1 * euler, .step = 0.2});
    EXPECT_EQ(path.critical.size(), 1U);
    EXPECT_EQ(path.critical.front().kind, CriticalKind::bifurcation);
    return path.critical.front().at.motion.state.t;
  };
  // Loads turn the chords of elements and not the curves between: with k = pi/(2 L) and elements of
  // length l the load is above by (k l)^2/12. Extrapolated, it is above by the 2.5e-5 by which the
  // column is shorter then; a small part of (k l)^4 = 1.5e-3 is left.
  const double coarse = buckling(4);
  const double fine = buckling(8);
  EXPECT_NEAR(fine / euler - 1.0, std::pow(M_PI / 16.0, 2) / 12.0, 1e-4);
  EXPECT_NEAR((4.0 * fine - coarse) / 3.0, (1.0 + 2.5e-5) * euler, 3e-5 * euler);

  const auto system = column(8);
  const LoadPath path = follow_load(*system, {.until = 1.1 * euler, .step = 0.05, .branch = true});
  const PathPoint& end = path.points.back();
  EXPECT_EQ(end.growing, 0);
  // The elastica at 1.1 times Euler's load: theta = 2 asin k with K(k) = pi/2 sqrt(1.1), k =
  // 0.4103, the tip aside by 2 k/sqrt(P L^2/(E I)).
  double low = 0.0;
  double high = 0.9;
  for (int i = 0; i < 60; ++i) {
    const double k = 0.5 * (low + high);
    (std::comp_ellint_1(k) < M_PI_2 * std::sqrt(1.1) ? low : high) = k;
  }
  const double aside = 2.0 * low / (M_PI_2 * std::sqrt(1.1));
  // Eight elements that are linear against their chords.
  EXPECT_NEAR(std::abs(channel(*system, end.motion, "column.tip.position.x")), aside, 0.03 * aside);
}

TEST(LoadPath, IsRefusedWithFirstOrderStates) {
  const auto system = model::compile(described(R"yaml(
trammel: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2}}
forces: {spring: {type: bushing, between: [ground, block], stiffness: [10, 10], rotational_stiffness: 1}}
states: {memory: {rate: "(block.position.x/(1 m) - memory)/(1 s)"}}
)yaml"));
  EXPECT_THROW(follow_load(*system, {}), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::load_path_test
