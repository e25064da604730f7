#include "trammel/model/hinge.h"

#include <array>
#include <numbers>

namespace trammel::model {
namespace {

constexpr double whole_turn = 2.0 * std::numbers::pi;
constexpr double no_offset = 1e-12;  // relative positions below it do not tell an angle, m

Eigen::Quaterniond about_z(double angle) {
  return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
}

double turn_about_z(const Pose<Spatial>& Y) {
  const Eigen::Vector3d x = Y.e * Eigen::Vector3d::UnitX();
  return std::atan2(x.y(), x.x());
}

template <class Point>
double azimuth_of(const Point& p) {
  return std::atan2(p[1], p[0]);
}

// The angle of a turn that is followed by `next` (null: by nothing that turns).
double turn_angle(const Pose<Planar>& Y, const ElementaryJoint<Planar>* next) {
  if (next == nullptr || next->before.p.norm() < no_offset) return Y.angle;
  return azimuth_of(Y.p) - azimuth_of(next->before.p);
}

double turn_angle(const Pose<Spatial>& Y, const ElementaryJoint<Spatial>* next) {
  if (next == nullptr) return turn_about_z(Y);
  const Eigen::Vector3d& offset = next->before.p;
  if (offset.head<2>().norm() > no_offset) return azimuth_of(Y.p) - azimuth_of(offset);
  // Two turns: the second axis lies where the first one brought it.
  const Eigen::Vector3d axis = next->before.e * Eigen::Vector3d::UnitZ();
  return azimuth_of(Eigen::Vector3d(Y.e * Eigen::Vector3d::UnitZ())) - azimuth_of(axis);
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
  const double angle = turn_about_z(Y);
  return angle + whole_turn * std::round((Y.p.z() / lead - angle) / whole_turn);
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
      *q += *q > 0.0 ? -whole_turn : whole_turn;
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

template <class Columns>
void add_columns(const ElementaryJoint<Planar>& joint,
                 const Pose<Planar>& pose,
                 int& column,
                 Columns& columns) {
  columns.col(column++) = elementary_column(joint, pose);
}
template <class Columns>
void add_columns(const ElementaryJoint<Spatial>& joint,
                 const Pose<Spatial>& pose,
                 int& column,
                 Columns& columns) {
  if (joint.kind != ElementaryKind::ball) {
    columns.col(column++) = elementary_column(joint, pose);
    return;
  }
  const Eigen::Matrix3d R = pose.rotation();
  for (int i = 0; i < 3; ++i) columns.col(column++) = turning(pose.p, R.col(i));
}

void turn_ball(const double* x, double* q) {
  const Eigen::Quaterniond turned = Eigen::Quaterniond(q[0], q[1], q[2], q[3]) *
                                    math::exponential(Eigen::Vector3d(x[0], x[1], x[2]));
  ball_coordinates({Eigen::Vector3d::Zero(), turned.normalized()}, q);
}

}  // namespace

Pose<Planar> elementary_pose(const ElementaryJoint<Planar>& joint, const double* q) {
  Pose<Planar> pose;
  if (joint.kind == ElementaryKind::form) return joint.form->pose(q);
  if (joint.kind == ElementaryKind::slide) {
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
  if (joint.kind == ElementaryKind::form) return joint.form->pose(q);
  const double x = joint.sign * *q;
  if (joint.kind != ElementaryKind::slide) pose.e = about_z(x);
  if (joint.kind != ElementaryKind::turn)
    pose.p.z() = joint.kind == ElementaryKind::slide ? x : joint.lead * x;
  return pose;
}

Twist<Planar> elementary_column(const ElementaryJoint<Planar>& joint, const Pose<Planar>& pose) {
  return joint.kind == ElementaryKind::slide ? sliding<Planar>(joint.sign * pose.rotation().col(0))
                                             : turning(pose.p, joint.sign);
}

Twist<Spatial> elementary_column(const ElementaryJoint<Spatial>& joint, const Pose<Spatial>& pose) {
  const Eigen::Vector3d n = joint.sign * (pose.e * Eigen::Vector3d::UnitZ());
  Twist<Spatial> s = joint.kind == ElementaryKind::slide ? sliding<Spatial>(n) : turning(pose.p, n);
  if (joint.kind == ElementaryKind::screw) s.head<3>() += joint.lead * n;
  return s;
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
typename Hinge<S>::Columns Hinge<S>::columns(const double* q, Pose<S>& X) const {
  Columns list(S::freedoms, velocities());
  X = {};
  int column = 0;
  for (const ElementaryJoint<S>& joint : joints) {
    const Pose<S> frame = X * joint.before;
    if (joint.kind == ElementaryKind::form) {
      typename MotionForm<S>::Derivatives at;
      joint.form->differentiate(q, at);
      for (int i = 0; i < joint.velocities(); ++i) {
        list.col(column++) = carried(frame, at.first[static_cast<std::size_t>(i)]);
      }
      X = frame * at.X;
    } else {
      X = frame * elementary_pose(joint, q);
      add_columns(joint, X, column, list);
    }
    q += joint.coordinates();
  }
  X = X * after;
  return list;
}

template <class S>
void Hinge<S>::move(const double* x, double* q) const {
  for (const ElementaryJoint<S>& joint : joints) {
    if (joint.kind == ElementaryKind::ball) {
      turn_ball(x, q);
    } else {
      for (int i = 0; i < joint.velocities(); ++i) q[i] += x[i];
    }
    x += joint.velocities();
    q += joint.coordinates();
  }
}

template <class S>
void Hinge<S>::coordinates_of(const Pose<S>& X, double* q) const {
  if (!start.empty()) {
    iterate_coordinates(X, q);
    match_sign(*this, X, q);
    return;
  }
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
      case ElementaryKind::form:
        joint.form->coordinates_of(Y, value);
        break;
    }
    Y = inverse(elementary_pose(joint, value)) * Y;
    value += joint.coordinates();
  }
  match_sign(*this, X, q);
}

template <class S>
Hinge<S> hinge_of(const AllowedMotion& allowed, JointPlace<S> place) {
  Hinge<S> hinge{allowed.arranged(place)};
  hinge.after = hinge.after * inverse(pose_of(place.b));
  Pose<S>& first = hinge.joints.empty() ? hinge.after : hinge.joints.front().before;
  first = pose_of(place.a) * first;
  return hinge;
}

template <class S>
Hinge<S> free_hinge(bool rotates) {
  using namespace elementary;
  const bool planar = S::space == Space::planar;
  std::vector<ElementaryMotion> motions{slide_x, slide_y};
  if (!planar) motions.push_back(slide_z);
  if (rotates) motions.push_back(planar ? turn_z : ball);
  return {chain_along_axes<S>(motions)};
}

template <class S>
Hinge<S> reversed(const Hinge<S>& hinge) {
  Hinge<S> back;
  Pose<S> between = inverse(hinge.after);
  for (auto joint = hinge.joints.rbegin(); joint != hinge.joints.rend(); ++joint) {
    ElementaryJoint<S> turned = *joint;
    turned.before = between;
    if (joint->kind == ElementaryKind::form) {
      turned.form = std::make_shared<const ReversedMotion<S>>(joint->form);
    } else if (joint->kind != ElementaryKind::ball) {
      turned.sign = -joint->sign;
    }
    between = inverse(joint->before);
    back.joints.push_back(turned);
  }
  back.after = between;
  back.start.resize(hinge.start.size());
  if (!hinge.start.empty()) reverse_coordinates(hinge, hinge.start.data(), back.start.data());
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
template Hinge<Planar> hinge_of(const AllowedMotion&, JointPlace<Planar>);
template Hinge<Spatial> hinge_of(const AllowedMotion&, JointPlace<Spatial>);
template Hinge<Planar> free_hinge(bool);
template Hinge<Spatial> free_hinge(bool);
template Hinge<Planar> reversed(const Hinge<Planar>&);
template Hinge<Spatial> reversed(const Hinge<Spatial>&);
template void reverse_coordinates(const Hinge<Planar>&, const double*, double*);
template void reverse_coordinates(const Hinge<Spatial>&, const double*, double*);

}  // namespace trammel::model
