// Two descriptions of the same mechanism must give the same motion and the same physical reaction.
//
// A pair of free bodies "a" and "b" flies under gravity with a spring from the ground to b; what
// connects them is described in one way or another. Both ways start from the same state and are
// integrated by support/reference_motion.h, whose error is far below the tolerances of the tests.
// Compared are poses and velocities of a and b, and the total wrench that the connection exerts on
// b.
#pragma once

#include <functional>
#include <vector>

#include "support/system_view.h"

namespace trammel::support {

/// Adds joints (and bodies, and frames) between "a" and "b", described in the start configuration.
using Connect = std::function<void(model::Description& description)>;

/// The two bodies, placed and turned arbitrarily, with off-centre mass; planar ones in the x-y
/// plane.
model::Description flying_pair(model::Space space);

/// The world points and directions that the connections of the tests use.
Eigen::Vector3d connection_point();
Eigen::Vector3d connection_axis();        ///< planar: in the plane
Eigen::Vector3d connection_cross_axis();  ///< perpendicular to it

/// Gives `body` a frame at a world point of the described configuration; returns "body.frame".
std::string mark(model::Description& description,
                 const std::string& body,
                 const std::string& frame,
                 const Eigen::Vector3d& point);

/// A small body of the given mass at a world point, resting until assembly moves it with the
/// others.
void add_light_body(model::Description& description,
                    const std::string& name,
                    double mass,
                    const Eigen::Vector3d& point);

struct ConnectedMotion {
  BodyMotion a;
  BodyMotion b;
  Wrench on_b;         ///< of all joints that touch b
  double drift = 0.0;  ///< max |g| at the end
  int redundant = 0;   ///< rows less rank at the start
};

/// Assembles `first` and takes over poses and velocities of a and b, so that both descriptions
/// start alike; returns the pair without any connection.
model::Description started_pair(model::Space space, const Connect& first);

/// 0.4 s of the pair with a connection. Bodies a and b keep their described motion at the start.
ConnectedMotion connected_motion(model::Description pair, const Connect& connect);

/// The same by the library's own default simulation, 400 steps.
ConnectedMotion simulated_motion(model::Description pair, const Connect& connect);

/// The limit of vanishing mass m of added bodies, whose effect is O(m): 2 f(m/2) - f(m).
ConnectedMotion massless_limit(const model::Description& pair,
                               const std::function<Connect(double mass)>& connect);

/// Poses and velocities to `position` (m, m/s, and rad), the wrench to `reaction` of its size.
void expect_same_motion(const ConnectedMotion& actual,
                        const ConnectedMotion& expected,
                        double position,
                        double reaction);

}  // namespace trammel::support
