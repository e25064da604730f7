#include "trammel/io/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace trammel::io {
namespace {

using Flags = std::array<bool, 6>;

/// The marks of x, y, z after a turn: possible when all are equal or when axes become axes.
bool turn_flags(const Eigen::Matrix3d& A, std::size_t dimensions, Flags& flags) {
  const auto end = flags.begin() + static_cast<std::ptrdiff_t>(dimensions);
  if (std::all_of(flags.begin(), end, [&](bool flag) { return flag == flags[0]; })) return true;
  // Roundoff of a quarter turn given in radians or as a quaternion.
  constexpr double tolerance = 1e-9;
  Flags turned = flags;
  for (std::size_t column = 0; column < dimensions; ++column) {
    Eigen::Index row = 0;
    const double largest = A.col(static_cast<Eigen::Index>(column)).cwiseAbs().maxCoeff(&row);
    if (std::abs(largest - 1.0) > tolerance) return false;
    turned[static_cast<std::size_t>(row)] = flags[column];
  }
  flags = turned;
  return true;
}

}  // namespace

bool Transform::is_shift() const {
  return signs == Eigen::Vector3d::Ones() && stated_turn.isZero(0.0) &&
         turn.coeffs() == Eigen::Quaterniond::Identity().coeffs();
}

bool Transform::is_identity() const {
  return is_shift() && shift.isZero(0.0);
}

Eigen::Quaterniond Transform::mirrored(const Eigen::Quaterniond& rotation) const {
  Eigen::Quaterniond result = rotation;
  result.vec() = mirrored_axial(rotation.vec());
  return result;
}

Transform operator*(const Transform& outer, const Transform& inner) {
  Transform result;
  result.shift = outer.point(inner.shift);
  result.turn = outer.turn * outer.mirrored(inner.turn);
  result.stated_turn = outer.turned(inner.stated_turn);
  result.signs = outer.mirrored(inner.signs);
  return result;
}

void mirror(const Transform& transform, model::Frame& frame) {
  frame.position = transform.mirrored(frame.position);
  frame.rotation = transform.mirrored(frame.rotation);
  frame.stated_turn = transform.mirrored_axial(frame.stated_turn);
}

/// Most shapes look the same in a mirror that their own planes of symmetry make. A cone may point
/// the other way; a mesh is another one.
void mirror(const Transform& transform, model::PlacedShape& shape) {
  shape.position = transform.mirrored(shape.position);
  shape.rotation = transform.mirrored(shape.rotation);
  if (transform.signs.z() < 0.0 && std::holds_alternative<math::Cone>(shape.shape)) {
    shape.rotation = shape.rotation * Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX());
  }
  math::Mesh* mesh = std::get_if<math::Mesh>(&shape.shape);
  if (mesh != nullptr && transform.signs != Eigen::Vector3d::Ones()) {
    mesh->surface =
        std::make_shared<const math::TriangleMesh>(math::scaled(*mesh->surface, transform.signs));
  }
}

void move(const Transform& transform, model::Frame& frame) {
  frame.position = transform.point(frame.position);
  frame.rotation = transform.turn * transform.mirrored(frame.rotation);
  frame.stated_turn = transform.turned(frame.stated_turn);
}

std::string move(const Transform& transform, model::Space space, model::Body& body) {
  if (transform.is_identity()) return {};
  const bool planar = space == model::Space::planar;
  const Eigen::Vector3d& s = transform.signs;
  body.mass.center = transform.mirrored(body.mass.center);
  body.mass.inertia = s.asDiagonal() * body.mass.inertia * s.asDiagonal();
  body.position = transform.point(body.position);
  body.velocity = transform.vector(body.velocity);
  body.orientation = transform.turn * transform.mirrored(body.orientation);
  body.angle = transform.stated_turn.z() + transform.handedness() * body.angle;
  body.angular_velocity = transform.mirrored_axial(body.angular_velocity);
  body.stated_turn = transform.mirrored_axial(body.stated_turn) +
                     body.orientation.conjugate() * transform.stated_turn;
  for (model::Frame& frame : body.frames) mirror(transform, frame);
  for (model::PlacedShape& shape : body.shapes) mirror(transform, shape);
  const Eigen::Matrix3d A = transform.turn.toRotationMatrix();
  const std::size_t dimensions = planar ? 2 : 3;
  if (turn_flags(A, dimensions, body.fixed_pose) &&
      turn_flags(A, dimensions, body.fixed_velocity)) {
    return {};
  }
  return "fixed x, y or z would be an oblique direction in a turned instance";
}

}  // namespace trammel::io
