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
double turn_angle(const Pose<Planar>& Y, const Step<Planar>* next) {
  if (next == nullptr || next->before.p.norm() < no_offset) return Y.angle;
  return direction(Y.p) - direction(next->before.p);
}

double turn_angle(const Pose<Spatial>& Y, const Step<Spatial>* next) {
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
  for (const Step<Spatial>& step : hinge.steps) {
    if (step.kind == StepKind::turn) {
      *q += *q > 0.0 ? -turn : turn;
      return;
    }
    if (step.kind == StepKind::ball) {
      Eigen::Map<Eigen::Vector4d> e(q);
      e = -e;
      return;
    }
    q += step.coordinates();
  }
}

}  // namespace

Pose<Planar> step_pose(const Step<Planar>& step, const double* q) {
  Pose<Planar> pose;
  if (step.kind == StepKind::place) {
    pose.p = step.sign * step.form->position(q);
  } else if (step.kind == StepKind::slide) {
    pose.p.x() = step.sign * *q;
  } else {
    pose.angle = step.sign * *q;
  }
  return pose;
}

Pose<Spatial> step_pose(const Step<Spatial>& step, const double* q) {
  Pose<Spatial> pose;
  if (step.kind == StepKind::ball) {
    pose.e = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    return pose;
  }
  if (step.kind == StepKind::place) {
    pose.p = step.sign * step.form->position(q);
    return pose;
  }
  const double x = step.sign * *q;
  if (step.kind != StepKind::slide) pose.e = about_z(x);
  if (step.kind != StepKind::turn) pose.p.z() = step.kind == StepKind::slide ? x : step.lead * x;
  return pose;
}

template <class S>
int Hinge<S>::coordinates() const {
  int sum = 0;
  for (const Step<S>& step : steps) sum += step.coordinates();
  return sum;
}

template <class S>
int Hinge<S>::velocities() const {
  int sum = 0;
  for (const Step<S>& step : steps) sum += step.velocities();
  return sum;
}

template <class S>
Pose<S> Hinge<S>::pose(const double* q) const {
  Pose<S> X;
  for (const Step<S>& step : steps) {
    X = X * step.before * step_pose(step, q);
    q += step.coordinates();
  }
  return X * after;
}

template <class S>
void Hinge<S>::coordinates_of(const Pose<S>& X, double* q) const {
  // Y: what the steps that are left have to do. Behind the last offset only rotations follow, so
  // that slides are read from positions and the last rotation from what remains.
  Pose<S> Y = X * inverse(after);
  double* value = q;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step<S>& step = steps[i];
    Y = inverse(step.before) * Y;
    switch (step.kind) {
      case StepKind::slide:
        *value = step.sign * slide_way(Y);
        break;
      case StepKind::turn:
        *value = step.sign * turn_angle(Y, i + 1 < steps.size() ? &steps[i + 1] : nullptr);
        break;
      case StepKind::screw:
        *value = step.sign * screw_angle(Y, step.lead);
        break;
      case StepKind::ball:
        ball_coordinates(Y, value);
        break;
      case StepKind::place:
        step.form->coordinates_of(step.sign * Y.p, value);
        break;
    }
    Y = inverse(step_pose(step, value)) * Y;
    value += step.coordinates();
  }
  match_sign(*this, X, q);
}

template <class S>
Hinge<S> reversed(const Hinge<S>& hinge) {
  Hinge<S> back;
  Pose<S> between = inverse(hinge.after);
  for (auto step = hinge.steps.rbegin(); step != hinge.steps.rend(); ++step) {
    Step<S> turned = *step;
    turned.before = between;
    if (step->kind != StepKind::ball) turned.sign = -step->sign;
    between = inverse(step->before);
    back.steps.push_back(turned);
  }
  back.after = between;
  return back;
}

template <class S>
void reverse_coordinates(const Hinge<S>& hinge, const double* q, double* q_reversed) {
  double* out = q_reversed + hinge.coordinates();
  for (const Step<S>& step : hinge.steps) {
    out -= step.coordinates();
    const bool ball = step.kind == StepKind::ball;
    for (int i = 0; i < step.coordinates(); ++i) out[i] = ball && i > 0 ? -q[i] : q[i];
    q += step.coordinates();
  }
}

template struct Hinge<Planar>;
template struct Hinge<Spatial>;
template Hinge<Planar> reversed(const Hinge<Planar>&);
template Hinge<Spatial> reversed(const Hinge<Spatial>&);
template void reverse_coordinates(const Hinge<Planar>&, const double*, double*);
template void reverse_coordinates(const Hinge<Spatial>&, const double*, double*);

}  // namespace trammel::formulation
