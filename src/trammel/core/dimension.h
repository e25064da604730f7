// Physical dimension of a quantity: exponents of length, mass, time and angle.
//
// Angle is kept apart although it is a pure number in SI, so that "30 deg" cannot be given for a
// length and "10 Hz" cannot be mistaken for 10 rad/s.
#pragma once

#include <string>

namespace trammel::core {

struct Dimension {
  int length = 0;
  int mass = 0;
  int time = 0;
  int angle = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
    return {a.length + b.length, a.mass + b.mass, a.time + b.time, a.angle + b.angle};
  }
  friend constexpr Dimension operator/(const Dimension& a, const Dimension& b) {
    return {a.length - b.length, a.mass - b.mass, a.time - b.time, a.angle - b.angle};
  }
};

/// The SI unit of a dimension as people write it: "N m", "kg m^2", "rad/s".
std::string si_unit(const Dimension& dimension);

namespace dimension {
constexpr Dimension none{};
constexpr Dimension length{1, 0, 0, 0};
constexpr Dimension mass{0, 1, 0, 0};
constexpr Dimension time{0, 0, 1, 0};
constexpr Dimension angle{0, 0, 0, 1};
constexpr Dimension velocity{1, 0, -1, 0};
constexpr Dimension acceleration{1, 0, -2, 0};
constexpr Dimension angular_velocity{0, 0, -1, 1};
constexpr Dimension force{1, 1, -2, 0};
constexpr Dimension torque{2, 1, -2, 0};
constexpr Dimension energy{2, 1, -2, 0};
constexpr Dimension power{2, 1, -3, 0};
constexpr Dimension inertia{2, 1, 0, 0};
constexpr Dimension pressure{-1, 1, -2, 0};
constexpr Dimension density{-3, 1, 0, 0};
constexpr Dimension stiffness{0, 1, -2, 0};
constexpr Dimension damping{0, 1, -1, 0};
constexpr Dimension rotational_stiffness{2, 1, -2, -1};
constexpr Dimension rotational_damping{2, 1, -1, -1};
}  // namespace dimension

}  // namespace trammel::core
