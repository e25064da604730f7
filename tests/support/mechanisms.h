// Mechanisms with known answers, shared by tests and benchmarks.
#pragma once

#include "trammel/model/description.h"

namespace trammel::support {

/// A uniform slender bar along x with its frame in the middle and frames "left" and "right" at the
/// ends. In space the inertia about its axis is mass (length/100)^2, so that it is not singular.
model::Body bar(std::string name, double length, double mass, model::Space space);

/// IFToMM A01: a point mass of 1 kg on a massless rod of 1 m, from the horizontal (-1, 0) at rest,
/// g = 9.81 m/s^2.
model::Description pendulum();

/// N four-bars in a row [Gonzalez et al. 2006]: bars of 1 m and 1 kg, N + 1 rockers on the ground
/// line y = 0 and N couplers, vertical at the start, couplers moving with 1 m/s along x.
model::Description four_bars(int n);
/// ((N+1)/3 + N) theta'' = -g ((N+1)/2 + N) cos(theta), theta the angle of the rockers from x.
double four_bars_angular_acceleration(int n, double theta);

/// Crank 0.15 m / 0.5 kg, rod 0.45 m / 1 kg, slider 0.7 kg on the x axis; crank at 45 degrees with
/// 10 rad/s, g = 9.81 m/s^2 along -y.
model::Description slider_crank();

/// A chain of n bars of total length 1 m and mass 1 kg, hinged about z, released at rest from the
/// horizontal; spatial bodies with revolute joints, or planar ones.
model::Description chain(int n, model::Space space);
/// The same chain hanging down in a gentle curve, released at rest: steps of 1 ms resolve its
/// swinging, however many bars it has.
model::Description hanging_chain(int n, model::Space space);

/// A weightless chain of n spatial bars of 10 mm and 10 g pulled taut with 30 N, a wave of 20 bars'
/// length running along it. The tension, and so what a bar does, is the same for every n.
model::Description taut_chain(int n);

/// Heavy top: 15 kg, J = diag(0.234375, 0.46875, 0.234375) about the centre of mass, which is 1 m
/// along the body's y axis from the fixed point; body rates (0, 150, -4.61538) rad/s, g along -z.
model::Description heavy_top();

/// A free body with principal moments (1, 2, 3) spinning near its unstable axis, no gravity.
model::Description asymmetric_top();

/// Bricard linkage: five bars and the ground as sixth, six revolute joints, one of them redundant
/// in effect: mobility 1 although Gruebler's count is 0. Falls under gravity from the cube
/// position.
model::Description bricard();

/// Spatial slider-crank: crank about x, rod with spherical and universal ends, slider along x.
model::Description spatial_slider_crank();

/// A rubber strip of 1.2 m hinged at its start and released from the horizontal [Huang2014, 4.3]: n
/// planar elements of Euler and Bernoulli in absolute nodal coordinates.
model::Description ancf_pendulum(int n);

/// Two bars on the ground geared with each other; a motor by a formula of time, rates and a state
/// with memory turns one of them.
model::Description geared_servo();

}  // namespace trammel::support
