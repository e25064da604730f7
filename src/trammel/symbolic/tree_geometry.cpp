#include "trammel/symbolic/tree_geometry.h"

#include <cmath>

namespace trammel::symbolic {
namespace {

using formulation::ElementaryKind;
using model::Planar;
using model::Spatial;

Vector zero_vector(int coordinates) {
  const Polynomial zero(coordinates);
  return {zero, zero, zero};
}

Place world(int coordinates) {
  Place place{.R = {}, .p = zero_vector(coordinates), .angle = Polynomial(coordinates)};
  for (std::size_t column = 0; column < 3; ++column) {
    place.R[column] = zero_vector(coordinates);
    place.R[column][column] = Polynomial::constant(coordinates, 1.0);
  }
  return place;
}

Vector scaled(const Polynomial& factor, const Vector& v) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}

// Turned about its own z axis by the angle sign x_i: x' = c x + s y, y' = c y - s x.
void turn(Place& place, int coordinates, int i, double sign) {
  const Polynomial c = Polynomial::cosine(coordinates, i);
  const Polynomial s = Polynomial::sine(coordinates, i, sign);
  const Vector x = place.R[0];
  const Vector y = place.R[1];
  place.R[0] = scaled(c, x) + scaled(s, y);
  place.R[1] = scaled(c, y) - scaled(s, x);
  place.angle += sign * Polynomial::coordinate(coordinates, i);
}

// Elementary joints slide along z in space and along x in the plane.
template <class S>
void move(Place& place, const formulation::TreeJoint<S>& joint, int coordinates, int i) {
  const auto& elementary = joint.elementary;
  if (elementary.kind != ElementaryKind::slide) turn(place, coordinates, i, elementary.sign);
  if (elementary.kind == ElementaryKind::turn) return;
  const double way =
      elementary.sign * (elementary.kind == ElementaryKind::screw ? elementary.lead : 1.0);
  const std::size_t along = S::space == model::Space::planar ? 0 : 2;
  place.p = place.p + scaled(way * Polynomial::coordinate(coordinates, i), place.R[along]);
}

}  // namespace

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Polynomial dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector times(const Matrix& R, const Eigen::Vector3d& c) {
  Vector result;
  for (std::size_t row = 0; row < 3; ++row) {
    result[row] = c.x() * R[0][row] + c.y() * R[1][row] + c.z() * R[2][row];
  }
  return result;
}

Vector transposed_times(const Matrix& R, const Vector& v) {
  return {dot(R[0], v), dot(R[1], v), dot(R[2], v)};
}

Vector derivative(const Vector& v, int coordinate) {
  return {v[0].derivative(coordinate), v[1].derivative(coordinate), v[2].derivative(coordinate)};
}

Place operator*(const Place& place, const FrameOn& frame) {
  Place result{.R = {}, .p = place.p + times(place.R, frame.p), .angle = place.angle};
  for (std::size_t column = 0; column < 3; ++column) {
    result.R[column] = times(place.R, frame.R.col(static_cast<Eigen::Index>(column)));
  }
  result.angle += Polynomial::constant(place.angle.coordinates(), frame.angle);
  return result;
}

FrameOn seen_in_space(const model::Pose<Planar>& pose) {
  FrameOn frame;
  frame.p.head<2>() = pose.p;
  frame.R.topLeftCorner<2, 2>() = pose.rotation();
  frame.angle = pose.angle;
  return frame;
}

FrameOn seen_in_space(const model::Pose<Spatial>& pose) {
  return {.p = pose.p, .R = pose.rotation()};
}

template <class S>
int obstacle(const formulation::HingeTree<S>& tree) {
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const ElementaryKind kind = tree.joints[i].elementary.kind;
    if (kind == ElementaryKind::ball || kind == ElementaryKind::form) return static_cast<int>(i);
  }
  return -1;
}

template <class S>
TreeGeometry geometry_of(const formulation::HingeTree<S>& tree) {
  TreeGeometry result;
  const int n = static_cast<int>(tree.joints.size());
  result.coordinates = n;
  const Place ground = world(n);
  std::vector<Place> behind;  // each elementary joint
  for (int i = 0; i < n; ++i) {
    const formulation::TreeJoint<S>& joint = tree.joints[at(i)];
    Place place = (joint.parent < 0 ? ground : behind[at(joint.parent)]) *
                  seen_in_space(joint.elementary.before);
    const bool turns = joint.elementary.kind != ElementaryKind::slide;
    result.axes.push_back(
        {.parent = joint.parent,
         .turn = turns ? times(place.R, {0.0, 0.0, joint.elementary.sign}) : zero_vector(n)});
    move(place, joint, n, i);
    behind.push_back(std::move(place));
  }
  for (const formulation::CarriedNode<S>& node : tree.nodes) {
    result.joint_of.push_back(node.joint);
    result.nodes.push_back((node.joint < 0 ? ground : behind[at(node.joint)]) *
                           seen_in_space(node.place));
  }
  return result;
}

template int obstacle(const formulation::HingeTree<Planar>& tree);
template int obstacle(const formulation::HingeTree<Spatial>& tree);
template TreeGeometry geometry_of(const formulation::HingeTree<Planar>& tree);
template TreeGeometry geometry_of(const formulation::HingeTree<Spatial>& tree);

}  // namespace trammel::symbolic
