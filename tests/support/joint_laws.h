// Laws that every joint obeys, whatever its kind. Each is a function with expectations inside;
// states need not be assembled unless it says so. The joint is called "item", its bodies "a" and
// "b" as random_joint() makes them.
#pragma once

#include "support/random_models.h"
#include "support/system_view.h"

namespace trammel::support {

/// G is the derivative of g along retract(), and g' = G v. Pfaff rows: G is the derivative of g' by
/// v.
void expect_jacobian_is_derivative(model::ModelSystem& system, const system::State& state);

/// g'' = G a + gamma along a smooth motion with any v and a, as the second derivative of g and as
/// the first of g'.
void expect_bias_is_second_derivative(model::ModelSystem& system,
                                      const system::State& state,
                                      Random& random);

/// The tangent of G^T lambda is the derivative of the residual at any lambda, and only there does
/// the tangent have entries that depend on lambda.
void expect_stiffness_is_derivative(model::ModelSystem& system,
                                    const system::State& state,
                                    Random& random);

/// At an assembled state all rows are independent, as many as the kind takes away.
void expect_full_rank(model::ModelSystem& system,
                      const system::State& state,
                      const model::JointKind& kind);

/// The recorded reactions do no work on any velocity that the joint allows: the face that forbids
/// (G) and the face that people see (point, force and torque) agree. Assembled state.
void expect_reactions_do_no_work(const model::Description& description,
                                 model::ModelSystem& system,
                                 const system::State& state,
                                 Random& random);

/// -G^T lambda on two free bodies has no resultant force and no moment about any point, and its
/// part on b is the recorded reaction. Assembled state, both ends rigid bodies.
void expect_action_is_reaction(const model::Description& description,
                               model::ModelSystem& system,
                               const system::State& state,
                               Random& random);

/// Names of the joint's coordinates ("item.angle").
std::vector<std::string> joint_coordinates(const model::ModelSystem& system);

/// The recorded rate of each coordinate is the derivative of its value along any motion.
void expect_coordinate_rates(model::ModelSystem& system,
                             const system::State& state,
                             Random& random);

/// Coordinates and holonomic constraints together determine the relative position: the velocities
/// that the latter allow are told apart by the rates of the first coordinates, one for each of
/// these freedoms. Further ones may follow that depend on them. Assembled state, one end on the
/// ground.
void expect_coordinates_complete(model::ModelSystem& system,
                                 const system::State& state,
                                 const model::JointKind& kind);

/// A coordinate that is an angle goes on over `turns` whole turns in both directions while the
/// others stand still, and the constraints go with it. Assembled state, one end on the ground,
/// coordinates complete.
void expect_angle_tracked(model::ModelSystem& system,
                          system::State state,
                          std::size_t coordinate,
                          double turns);

}  // namespace trammel::support
