// Discrete solutions of the rigid double pendulum, by an independent implementation of the family.
#include <array>

#include "rigid_links.h"
#include <gtest/gtest.h>

#include "trammel/integrators/gssss.h"

namespace trammel::integrators::testing {
namespace {

struct Published {
  Stabilisation stabilisation;
  int index;
  Family family;
  SpectralRadii radii;
  std::array<double, 6> values;  // theta_1, theta_2, theta_1', theta_1'', lambda~_1, lambda_1
};

// After 100 steps of 0.01 s; nine and ten digits as published.
const std::vector<Published> table{
    {Stabilisation::none,
     3,
     Family::U0,
     {1, 1, 0},
     {-0.885044845, -0.468506408, 2.07693615, 23.9445071, -36.6801265, -36.6801265}},
    {Stabilisation::none,
     3,
     Family::V0,
     {1, 1, 0},
     {-0.884391730, -0.469799323, 2.08733909, 24.1278853, -34.3209591, -36.6591946}},
    {Stabilisation::none,
     3,
     Family::U0,
     {1, 1, 1},
     {-0.884391730, -0.469799323, 2.08733909, 23.9781248, -34.3209591, -36.6591946}},
    {Stabilisation::none,
     3,
     Family::U0,
     {0.8, 0.8, 0.8},
     {-0.884487297, -0.469636883, 2.08615733, 24.0080326, -34.5711499, -36.6608996}},
    {Stabilisation::none,
     3,
     Family::V0,
     {0.8, 0.8, 0.8},
     {-0.884516966, -0.469607823, 2.08591833, 23.9843118, -34.8426393, -36.6817945}},
    {Stabilisation::none,
     2,
     Family::U0,
     {1, 1, 0},
     {-0.884265246, -0.469759470, 2.08495036, 23.8753942, -36.7973959, -36.7973959}},
    {Stabilisation::none,
     2,
     Family::V0,
     {1, 1, 0},
     {-0.883606781, -0.471060506, 2.09543645, 24.1391344, -34.5030863, -36.8490907}},
    {Stabilisation::none,
     2,
     Family::U0,
     {1, 1, 1},
     {-0.883606781, -0.471060506, 2.09543645, 23.9862430, -34.5030863, -36.8490907}},
    {Stabilisation::none,
     2,
     Family::U0,
     {0.8, 0.8, 0.8},
     {-0.883675918, -0.470942794, 2.09454377, 24.0173817, -34.7604440, -36.8571075}},
    {Stabilisation::none,
     2,
     Family::V0,
     {0.8, 0.8, 0.8},
     {-0.883732876, -0.470867815, 2.09400472, 23.9928030, -35.0255926, -36.8703032}},
    {Stabilisation::none,
     1,
     Family::U0,
     {1, 1, 0},
     {-0.883480676, -0.471020508, 2.09300625, 23.8764496, -36.9800927, -36.9800927}},
    {Stabilisation::none,
     1,
     Family::V0,
     {1, 1, 0},
     {-0.882463699, -0.475070733, 2.12470626, 24.2560131, -35.1566849, -37.5393335}},
    {Stabilisation::none,
     1,
     Family::U0,
     {1, 1, 1},
     {-0.882816779, -0.472329799, 2.10357807, 23.9932339, -34.6858161, -37.0392527}},
    {Stabilisation::none,
     1,
     Family::U0,
     {0.8, 0.8, 0.8},
     {-0.882652423, -0.472907641, 2.10768908, 24.0420585, -35.0559900, -37.1641021}},
    {Stabilisation::none,
     1,
     Family::V0,
     {0.8, 0.8, 0.8},
     {-0.882817291, -0.472489549, 2.10466210, 24.0081354, -35.2658478, -37.1179336}},
    {Stabilisation::baumgarte,
     0,
     Family::U0,
     {1, 1, 0},
     {-0.884662258, -0.468740440, 2.07777399, 23.8468762, -36.6235756, -36.6235756}},
    {Stabilisation::baumgarte,
     0,
     Family::V0,
     {1, 1, 0},
     {-0.883930143, -0.470067476, 2.08813658, 24.1048969, -34.3303482, -36.6632079}},
    {Stabilisation::baumgarte,
     0,
     Family::U0,
     {1, 1, 1},
     {-0.884007171, -0.470035150, 2.08818562, 23.9621128, -34.3371209, -36.6725815}},
    {Stabilisation::projection,
     3,
     Family::U0,
     {1, 1, 0},
     {-0.884802099, -0.468951283, 2.08155860, 23.8922591, -35.3544526, -36.7247506}},
    {Stabilisation::projection,
     3,
     Family::V0,
     {1, 1, 0},
     {-0.884345578, -0.469832526, 2.08891864, 24.1616539, -33.7028204, -36.8251960}},
    {Stabilisation::projection,
     3,
     Family::U0,
     {1, 1, 1},
     {-0.884345578, -0.469832526, 2.08891864, 23.9770657, -33.7028204, -36.8565813}},
    {Stabilisation::projection,
     2,
     Family::U0,
     {1, 1, 0},
     {-0.884693221, -0.468980402, 2.08159617, 23.8868079, -36.7034210, -36.7278106}},
    {Stabilisation::projection,
     2,
     Family::V0,
     {1, 1, 0},
     {-0.884239078, -0.470197555, 2.09178791, 24.1947336, -34.4235940, -36.8769834}},
    {Stabilisation::projection,
     2,
     Family::U0,
     {1, 1, 1},
     {-0.884239078, -0.470197555, 2.09178791, 24.0095354, -34.4235940, -36.9084123}},
    {Stabilisation::projection,
     1,
     Family::U0,
     {1, 1, 0},
     {-0.884691778, -0.468980300, 2.08158892, 23.8866323, -36.7335728, -36.7277331}},
    {Stabilisation::projection,
     1,
     Family::V0,
     {1, 1, 0},
     {-0.883531769, -0.470510174, 2.09300889, 24.1782739, -34.5699631, -36.9155446}},
    {Stabilisation::projection,
     1,
     Family::U0,
     {1, 1, 1},
     {-0.884093530, -0.470260596, 2.09202205, 24.0055165, -34.4470498, -36.9161945}},
};

TEST(Gssss, GivesTheDiscreteSolutionsOfTheDoublePendulum) {
  for (const Published& row : table) {
    SCOPED_TRACE(to_string(row.family, row.radii) + " index " + std::to_string(row.index) +
                 " stabilisation " + std::to_string(static_cast<int>(row.stabilisation)));
    for (const NewtonForm form : {NewtonForm::extrapolated, NewtonForm::acceleration,
                                  NewtonForm::velocity, NewtonForm::displacement}) {
      FunctionSystem system = rigid_links(2);
      // A massless angle has no pivot of its own: the dense solver takes pivots anywhere.
      Gssss integrator(system, {.family = row.family,
                                .radii = row.radii,
                                .index = row.index,
                                .stabilisation = row.stabilisation,
                                .form = form,
                                .balanced_start = false,
                                .newton_tolerance = 1e-13,
                                .most_iterations = 60,
                                .resolution = 0.0,
                                .solver = "dense"});
      integrator.start(rigid_links_start(2));
      for (int i = 0; i < 100; ++i) ASSERT_TRUE(integrator.step(0.01).ok()) << i;
      const Motion& m = integrator.motion();
      const std::array<double, 6> values{
          m.state.q[2], m.state.q[5], m.state.v[2], m.a[2], integrator.algorithmic_multipliers()[0],
          m.lambda[0]};
      for (std::size_t i = 0; i < values.size(); ++i) {
        // Half a unit of the last published digit, and Newton's tolerance of 100 steps.
        const double digit = i < 2 ? 0.51e-9 : (i == 2 ? 0.51e-8 : 0.51e-7);
        // Index 3 alone turns round-off of 1e-14 in positions into 4e-10 in accelerations, in every
        // step with the sign of the last one: seven digits are left after a hundred steps.
        const bool rough = i > 2 && row.index == 3 && row.stabilisation == Stabilisation::none;
        EXPECT_NEAR(values[i], row.values[i], digit + (rough ? 2.4e-6 : 1e-9)) << "value " << i;
      }
    }
  }
}

}  // namespace
}  // namespace trammel::integrators::testing
