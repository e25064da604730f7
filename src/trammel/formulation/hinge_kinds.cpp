#include "trammel/formulation/hinge_kinds.h"

#include <numbers>

namespace trammel::formulation {
namespace {

using model::Space;

constexpr double right_angle = 0.5 * std::numbers::pi;

// Steps between frames a and b of the joint.
template <class S>
Hinge<S> between(const HingeInput<S>& input, std::vector<Step<S>> steps) {
  Hinge<S> hinge{std::move(steps), inverse(pose_of(input.b))};
  if (hinge.steps.empty()) {
    hinge.after = pose_of(input.a) * hinge.after;
  } else {
    hinge.steps.front().before = pose_of(input.a) * hinge.steps.front().before;
  }
  return hinge;
}

template <class S>
Step<S> step(StepKind kind, Pose<S> before = {}) {
  return {.kind = kind, .before = before};
}

// ---- planar

Pose<Planar> turned(double angle) {
  return {Eigen::Vector2d::Zero(), angle};
}

Hinge<Planar> planar_revolute(const HingeInput<Planar>& input) {
  return between(input, {step<Planar>(StepKind::turn)});
}
Hinge<Planar> planar_prismatic(const HingeInput<Planar>& input) {
  return between(input, {step<Planar>(StepKind::slide)});
}
Hinge<Planar> planar_fixed(const HingeInput<Planar>& input) {
  return between<Planar>(input, {});
}
Hinge<Planar> planar_pin_in_slot(const HingeInput<Planar>& input) {
  return between(input, {step<Planar>(StepKind::slide), step<Planar>(StepKind::turn)});
}
// A rod that turns on both bodies.
Hinge<Planar> planar_distance(const HingeInput<Planar>& input) {
  const Pose<Planar> rod = inverse(pose_of(input.a)) * input.described * pose_of(input.b);
  const double length =
      model::has(input.values, "length") ? model::number(input.values, "length") : rod.p.norm();
  return between(input, {step<Planar>(StepKind::turn),
                         step<Planar>(StepKind::turn, {Eigen::Vector2d(length, 0.0), 0.0})});
}

// Coordinates of a position, or slides along the axes; the frame behind them keeps its axes.
Hinge<Planar> planar_position(std::shared_ptr<const PositionForm<Planar>> form) {
  if (form) return {{{.kind = StepKind::place, .form = std::move(form)}}, {}};
  return {{step<Planar>(StepKind::slide), step<Planar>(StepKind::slide, turned(right_angle))},
          turned(-right_angle)};
}

// The rotation comes behind the position.
template <class S>
Hinge<S> with_rotation(Hinge<S> position, StepKind kind) {
  position.steps.push_back(step<S>(kind, position.after));
  position.after = {};
  return position;
}

Hinge<Planar> planar_free(const HingeInput<Planar>& input) {
  auto form = PositionForm<Planar>::from(input.values);
  return between(input, with_rotation(planar_position(std::move(form)), StepKind::turn).steps);
}

// ---- spatial: steps along z; these turn the z axis to the others

Pose<Spatial> rotation_of_z(const Eigen::Vector3d& to) {
  return {Eigen::Vector3d::Zero(),
          Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), to)};
}
Pose<Spatial> z_to(int axis) {
  return rotation_of_z(Eigen::Vector3d::Unit(axis));
}

Hinge<Spatial> spatial_revolute(const HingeInput<Spatial>& input) {
  return between(input, {step<Spatial>(StepKind::turn)});
}
Hinge<Spatial> spatial_prismatic(const HingeInput<Spatial>& input) {
  return between(input, {step<Spatial>(StepKind::slide)});
}
Hinge<Spatial> spatial_fixed(const HingeInput<Spatial>& input) {
  return between<Spatial>(input, {});
}
Hinge<Spatial> spatial_spherical(const HingeInput<Spatial>& input) {
  return between(input, {step<Spatial>(StepKind::ball)});
}
Hinge<Spatial> spatial_cylindrical(const HingeInput<Spatial>& input) {
  return between(input, {step<Spatial>(StepKind::slide), step<Spatial>(StepKind::turn)});
}

Hinge<Spatial> spatial_screw(const HingeInput<Spatial>& input) {
  const double hand = model::text(input.values, "hand") == "left" ? -1.0 : 1.0;
  const double lead = hand * model::number(input.values, "pitch") / (4.0 * right_angle);
  // The thread passes through the described place: s = s_0 + lead (angle - angle_0).
  const Pose<Spatial> Y = inverse(pose_of(input.a)) * input.described * pose_of(input.b);
  const Eigen::Vector3d x = Y.e * Eigen::Vector3d::UnitX();
  Step<Spatial> thread{.kind = StepKind::screw, .lead = lead};
  thread.before.p.z() = Y.p.z() - lead * std::atan2(x.y(), x.x());
  return between(input, {thread});
}

Hinge<Spatial> spatial_universal(const HingeInput<Spatial>& input) {
  HingeInput<Spatial> axes = input;
  const auto align = [&](model::NodeFrame<Spatial>& frame, const char* field) {
    const Eigen::Vector3d axis = frame.axes * model::vector(input.values, field).normalized();
    frame.axes = rotation_of_z(axis).rotation();
  };
  align(axes.a, "axis");
  align(axes.b, "axis_b");
  return between(axes, {step<Spatial>(StepKind::turn), step<Spatial>(StepKind::turn, z_to(0))});
}

std::vector<Step<Spatial>> plane_slides() {
  return {step<Spatial>(StepKind::slide, z_to(0)),
          step<Spatial>(StepKind::slide, inverse(z_to(0)) * z_to(1))};
}
Hinge<Spatial> spatial_planar(const HingeInput<Spatial>& input) {
  std::vector<Step<Spatial>> steps = plane_slides();
  steps.push_back(step<Spatial>(StepKind::turn, inverse(z_to(1))));
  return between(input, std::move(steps));
}
Hinge<Spatial> spatial_point_on_plane(const HingeInput<Spatial>& input) {
  std::vector<Step<Spatial>> steps = plane_slides();
  steps.push_back(step<Spatial>(StepKind::ball, inverse(z_to(1))));
  return between(input, std::move(steps));
}
Hinge<Spatial> spatial_point_on_line(const HingeInput<Spatial>& input) {
  return between(input, {step<Spatial>(StepKind::slide), step<Spatial>(StepKind::ball)});
}

Hinge<Spatial> spatial_position(std::shared_ptr<const PositionForm<Spatial>> form) {
  if (form) return {{{.kind = StepKind::place, .form = std::move(form)}}, {}};
  Hinge<Spatial> hinge{plane_slides(), {}};
  hinge.steps.push_back(step<Spatial>(StepKind::slide, inverse(z_to(1))));
  return hinge;
}
Hinge<Spatial> spatial_free(const HingeInput<Spatial>& input) {
  auto form = PositionForm<Spatial>::from(input.values);
  return between(input, with_rotation(spatial_position(std::move(form)), StepKind::ball).steps);
}

// A link that turns on the first body and carries a ball.
Hinge<Spatial> spatial_revolute_spherical(const HingeInput<Spatial>& input) {
  const Pose<Spatial> Y = inverse(pose_of(input.a)) * input.described * pose_of(input.b);
  const auto value = [&](const char* field, double described) {
    return model::has(input.values, field) ? model::number(input.values, field) : described;
  };
  Pose<Spatial> link;
  link.p << value("length", Y.p.head<2>().norm()), 0.0, value("offset", Y.p.z());
  return between(input, {step<Spatial>(StepKind::turn), step<Spatial>(StepKind::ball, link)});
}

HingeKind planar(std::string_view joint,
                 int coordinates,
                 Hinge<Planar> (*build)(const HingeInput<Planar>&)) {
  return {joint, Space::planar, coordinates, build, nullptr};
}
HingeKind spatial(std::string_view joint,
                  int coordinates,
                  Hinge<Spatial> (*build)(const HingeInput<Spatial>&)) {
  return {joint, Space::spatial, coordinates, nullptr, build};
}

}  // namespace

const std::vector<HingeKind>& hinge_kinds() {
  static const std::vector<HingeKind> kinds{
      planar("revolute", 1, planar_revolute),
      planar("prismatic", 1, planar_prismatic),
      planar("fixed", 0, planar_fixed),
      planar("pin_in_slot", 2, planar_pin_in_slot),
      planar("distance", 2, planar_distance),
      planar("free", Planar::freedoms, planar_free),
      spatial("revolute", 1, spatial_revolute),
      spatial("revolute_cross", 1, spatial_revolute),
      spatial("prismatic", 1, spatial_prismatic),
      spatial("fixed", 0, spatial_fixed),
      spatial("screw", 1, spatial_screw),
      spatial("cylindrical", 2, spatial_cylindrical),
      spatial("universal", 2, spatial_universal),
      spatial("spherical", 3, spatial_spherical),
      spatial("planar", 3, spatial_planar),
      spatial("point_on_line", 4, spatial_point_on_line),
      spatial("revolute_spherical", 4, spatial_revolute_spherical),
      spatial("point_on_plane", 5, spatial_point_on_plane),
      spatial("free", Spatial::freedoms, spatial_free),
  };
  return kinds;
}

const HingeKind* find_hinge_kind(model::Space space, std::string_view joint) {
  for (const HingeKind& kind : hinge_kinds()) {
    if (kind.space == space && kind.joint == joint) return &kind;
  }
  return nullptr;
}

template <>
Hinge<Planar> build_hinge(const HingeKind& kind, const HingeInput<Planar>& input) {
  return kind.build_planar(input);
}
template <>
Hinge<Spatial> build_hinge(const HingeKind& kind, const HingeInput<Spatial>& input) {
  return kind.build_spatial(input);
}

template <>
Hinge<Planar> free_hinge(bool rotates) {
  const Hinge<Planar> hinge = planar_position(nullptr);
  return rotates ? with_rotation(hinge, StepKind::turn) : hinge;
}

template <>
Hinge<Spatial> free_hinge(bool rotates) {
  const Hinge<Spatial> hinge = spatial_position(nullptr);
  return rotates ? with_rotation(hinge, StepKind::ball) : hinge;
}

}  // namespace trammel::formulation
