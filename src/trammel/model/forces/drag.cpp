#include "trammel/model/forces/drag.h"

#include <algorithm>
#include <limits>

namespace trammel::model {

template <class S>
auto Drag<S>::wrench(const Motion& motion) const -> Wrench {
  const typename S::Point u = motion.u - wind_;
  Wrench W = Wrench::Zero();
  W.template head<S::dimension>() = -factor_ * u.norm() * u;
  return W;
}

template <class S>
void Drag<S>::slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const {
  using Matrix = Eigen::Matrix<double, S::dimension, S::dimension>;
  const typename S::Point u = motion.u - wind_;
  const double speed = u.norm();
  const typename S::Point along = u / std::max(speed, std::numeric_limits<double>::min());
  by_pose.setZero();
  by_rate.setZero();
  by_rate.template topLeftCorner<S::dimension, S::dimension>() =
      -factor_ * (speed * Matrix::Identity() + u * along.transpose());
}

template <class S>
ForcePower Drag<S>::spent(const Motion& motion) const {
  const typename S::Point u = motion.u - wind_;
  const typename S::Point force = -factor_ * u.norm() * u;
  return {.dissipated = -force.dot(u), .load = force.dot(wind_)};
}

template <class S>
std::vector<Quantity> Drag<S>::quantities() const {
  return {{"speed", "m/s", "", "relative to the wind"}, {"drag", "N", "", "against that speed"}};
}

template <class S>
void Drag<S>::report(const Motion& motion, double* values) const {
  values[0] = (motion.u - wind_).norm();
  values[1] = factor_ * values[0] * values[0];
}

template class Drag<Planar>;
template class Drag<Spatial>;

namespace {

template <class S>
std::unique_ptr<Force<S>> build_drag(const Values& values,
                                     const NodeFrame<S>& a,
                                     const NodeFrame<S>& b) {
  const double factor =
      0.5 * number(values, "density") * number(values, "coefficient") * number(values, "area");
  return std::make_unique<Drag<S>>(a, b, factor, vector(values, "wind").head<S::dimension>());
}

std::vector<Field> drag_fields() {
  return {Field{.name = "area",
                .dimension = core::dimension::length * core::dimension::length,
                .description = "reference area",
                .sign = Sign::non_negative},
          Field{.name = "coefficient",
                .description = "drag coefficient",
                .fallback = 1.0,
                .sign = Sign::non_negative},
          Field{.name = "density",
                .dimension = core::dimension::density,
                .description = "density of the medium",
                .fallback = 1.225,
                .sign = Sign::non_negative},
          Field{.name = "wind",
                .kind = FieldKind::vector,
                .dimension = core::dimension::velocity,
                .description = "velocity of the medium, world axes",
                .fallback = Eigen::Vector3d(Eigen::Vector3d::Zero())}};
}

constexpr const char* drag_summary = "drag of air or water, quadratic in the speed";

}  // namespace

ForceKind planar_drag() {
  return {.name = "drag",
          .space = Space::planar,
          .summary = drag_summary,
          .fields = drag_fields(),
          .mirroring = {true, "wind", "its wind stands in the world"},
          .attachments = 1,
          .build_planar = build_drag<Planar>};
}
ForceKind spatial_drag() {
  return {.name = "drag",
          .space = Space::spatial,
          .summary = drag_summary,
          .fields = drag_fields(),
          .mirroring = {true, "wind", "its wind stands in the world"},
          .attachments = 1,
          .build_spatial = build_drag<Spatial>};
}

}  // namespace trammel::model
