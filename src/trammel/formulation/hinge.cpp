#include "trammel/formulation/hinge.h"

#include <array>
#include <numbers>

namespace trammel::formulation {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double no_offset = 1e-12;  // relative positions below it do not tell an angle, m

Eigen::Quaterniond about_z(double angle) {
  return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
}

double angle_about_z(const Pose<Spatial>& Y) {
  const Eigen::Vector3d x = Y.e * Eigen::Vector3d::UnitX();
  return std::atan2(x.y(), x.x());
}

template <class Point>
double direction(const Point& p) {
  return std::atan2(p[1], p[0]);
}

// The angle of a turn that is followed by `next` (null: by nothing that turns).
double turn_angle(const Pose<Planar>& Y, const ElementaryJoint<Planar>* next) {
  if (next == nullptr || next->before.p.norm() < no_offset) return Y.angle;
  return direction(Y.p) - direction(next->before.p);
}

double turn_angle(const Pose<Spatial>& Y, const ElementaryJoint<Spatial>* next) {
  if (next == nullptr) return angle_about_z(Y);
  const Eigen::Vector3d& offset = next->before.p;
  if (offset.head<2>().norm() > no_offset) return direction(Y.p) - direction(offset);
  // Two turns: the second axis lies where the first one brought it.
  const Eigen::Vector3d axis = next->before.e * Eigen::Vector3d::UnitZ();
  return direction(Eigen::Vector3d(Y.e * Eigen::Vector3d::UnitZ())) - direction(axis);
}

double slide_way(const Pose<Planar>& Y) {
  return Y.p.x();
}
double slide_way(const Pose<Spatial>& Y) {
  return Y.p.z();
}

double screw_angle(const Pose<Planar>& Y, double /*lead*/) {
  return Y.angle;
}
double screw_angle(const Pose<Spatial>& Y, double lead) {
  const double angle = angle_about_z(Y);
  return angle + turn * std::round((Y.p.z() / lead - angle) / turn);
}

void ball_coordinates(const Pose<Planar>& /*Y*/, double* /*q*/) {}
void ball_coordinates(const Pose<Spatial>& Y, double* q) {
  q[0] = Y.e.w();
  q[1] = Y.e.x();
  q[2] = Y.e.y();
  q[3] = Y.e.z();
}

// Unit quaternions have two signs: takes the one of X, by whole turns of the first turn or by the
// sign of a ball.
void match_sign(const Hinge<Planar>& /*hinge*/, const Pose<Planar>& /*X*/, double* /*q*/) {}
void match_sign(const Hinge<Spatial>& hinge, const Pose<Spatial>& X, double* q) {
  if (hinge.pose(q).e.dot(X.e) >= 0.0) return;
  for (const ElementaryJoint<Spatial>& joint : hinge.joints) {
    if (joint.kind == ElementaryKind::turn) {
      *q += *q > 0.0 ? -turn : turn;
      return;
    }
    if (joint.kind == ElementaryKind::ball) {
      Eigen::Map<Eigen::Vector4d> e(q);
      e = -e;
      return;
    }
    q += joint.coordinates();
  }
}

}  // namespace

Pose<Planar> elementary_pose(const ElementaryJoint<Planar>& joint, const double* q) {
  Pose<Planar> pose;
  if (joint.kind == ElementaryKind::place) {
    pose.p = joint.sign * joint.form->position(q);
  } else if (joint.kind == ElementaryKind::slide) {
    pose.p.x() = joint.sign * *q;
  } else {
    pose.angle = joint.sign * *q;
  }
  return pose;
}

Pose<Spatial> elementary_pose(const ElementaryJoint<Spatial>& joint, const double* q) {
  Pose<Spatial> pose;
  if (joint.kind == ElementaryKind::ball) {
    pose.e = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    return pose;
  }
  if (joint.kind == ElementaryKind::place) {
    pose.p = joint.sign * joint.form->position(q);
    return pose;
  }
  const double x = joint.sign * *q;
  if (joint.kind != ElementaryKind::slide) pose.e = about_z(x);
  if (joint.kind != ElementaryKind::turn)
    pose.p.z() = joint.kind == ElementaryKind::slide ? x : joint.lead * x;
  return pose;
}

template <class S>
int Hinge<S>::coordinates() const {
  int sum = 0;
  for (const ElementaryJoint<S>& joint : joints) sum += joint.coordinates();
  return sum;
}

template <class S>
int Hinge<S>::velocities() const {
  int sum = 0;
  for (const ElementaryJoint<S>& joint : joints) sum += joint.velocities();
  return sum;
}

template <class S>
Pose<S> Hinge<S>::pose(const double* q) const {
  Pose<S> X;
  for (const ElementaryJoint<S>& joint : joints) {
    X = X * joint.before * elementary_pose(joint, q);
    q += joint.coordinates();
  }
  return X * after;
}

template <class S>
void Hinge<S>::coordinates_of(const Pose<S>& X, double* q) const {
  // Y: what the joints that are left have to do. Behind the last offset only rotations follow, so
  // that slides are read from positions and the last rotation from what remains.
  Pose<S> Y = X * inverse(after);
  double* value = q;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const ElementaryJoint<S>& joint = joints[i];
    Y = inverse(joint.before) * Y;
    switch (joint.kind) {
      case ElementaryKind::slide:
        *value = joint.sign * slide_way(Y);
        break;
      case ElementaryKind::turn:
        *value = joint.sign * turn_angle(Y, i + 1 < joints.size() ? &joints[i + 1] : nullptr);
        break;
      case ElementaryKind::screw:
        *value = joint.sign * screw_angle(Y, joint.lead);
        break;
      case ElementaryKind::ball:
        ball_coordinates(Y, value);
        break;
      case ElementaryKind::place:
        joint.form->coordinates_of(joint.sign * Y.p, value);
        break;
    }
    Y = inverse(elementary_pose(joint, value)) * Y;
    value += joint.coordinates();
  }
  match_sign(*this, X, q);
}

template <class S>
Hinge<S> hinge_of(const model::AllowedMotion& allowed, model::JointPlace<S> place) {
  Hinge<S> hinge{allowed.arranged(place)};
  hinge.after = hinge.after * inverse(pose_of(place.b));
  Pose<S>& first = hinge.joints.empty() ? hinge.after : hinge.joints.front().before;
  first = pose_of(place.a) * first;
  return hinge;
}

template <class S>
Hinge<S> free_hinge(bool rotates) {
  using namespace model::elementary;
  const bool planar = S::space == model::Space::planar;
  std::vector<model::ElementaryMotion> motions{slide_x, slide_y};
  if (!planar) motions.push_back(slide_z);
  if (rotates) motions.push_back(planar ? turn_z : ball);
  return {model::chain_along_axes<S>(motions)};
}

template <class S>
Hinge<S> reversed(const Hinge<S>& hinge) {
  Hinge<S> back;
  Pose<S> between = inverse(hinge.after);
  for (auto joint = hinge.joints.rbegin(); joint != hinge.joints.rend(); ++joint) {
    ElementaryJoint<S> turned = *joint;
    turned.before = between;
    if (joint->kind != ElementaryKind::ball) turned.sign = -joint->sign;
    between = inverse(joint->before);
    back.joints.push_back(turned);
  }
  back.after = between;
  return back;
}

template <class S>
void reverse_coordinates(const Hinge<S>& hinge, const double* q, double* q_reversed) {
  double* out = q_reversed + hinge.coordinates();
  for (const ElementaryJoint<S>& joint : hinge.joints) {
    out -= joint.coordinates();
    const bool ball = joint.kind == ElementaryKind::ball;
    for (int i = 0; i < joint.coordinates(); ++i) out[i] = ball && i > 0 ? -q[i] : q[i];
    q += joint.coordinates();
  }
}

template struct Hinge<Planar>;
template struct Hinge<Spatial>;
template Hinge<Planar> hinge_of(const model::AllowedMotion&, model::JointPlace<Planar>);
template Hinge<Spatial> hinge_of(const model::AllowedMotion&, model::JointPlace<Spatial>);
template Hinge<Planar> free_hinge(bool);
template Hinge<Spatial> free_hinge(bool);
template Hinge<Planar> reversed(const Hinge<Planar>&);
template Hinge<Spatial> reversed(const Hinge<Spatial>&);
template void reverse_coordinates(const Hinge<Planar>&, const double*, double*);
template void reverse_coordinates(const Hinge<Spatial>&, const double*, double*);

}  // namespace trammel::formulation
