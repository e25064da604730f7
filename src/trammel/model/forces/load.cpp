#include "trammel/model/forces/load.h"

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using math::skew;

// Force in world axes and moment about the centre of mass in body axes, stacked.
Eigen::Matrix<double, 6, 1> generalised(const Spatial::Kinematics& b,
                                        const Eigen::Vector3d& l,
                                        const Eigen::Vector3d& force,
                                        const Eigen::Vector3d& torque,
                                        LoadAxes axes) {
  Eigen::Matrix<double, 6, 1> f;
  if (axes == LoadAxes::world) {
    f << force, l.cross(b.R.transpose() * force) + b.R.transpose() * torque;
  } else {
    f << b.R * force, l.cross(force) + torque;
  }
  return f;
}

Eigen::Vector3d generalised(const Planar::Kinematics& b,
                            const Eigen::Vector2d& l,
                            const Eigen::Vector2d& force,
                            const Eigen::Matrix<double, 1, 1>& torque,
                            LoadAxes axes) {
  const Eigen::Vector2d world = axes == LoadAxes::world ? force : Eigen::Vector2d(b.R * force);
  Eigen::Vector3d f;
  f << world, perpendicular(b.R * l).dot(world) + torque[0];
  return f;
}

void rotation_tangent(const Spatial::Kinematics& b,
                      const Eigen::Vector3d& l,
                      const Eigen::Vector3d& force,
                      const Eigen::Vector3d& torque,
                      LoadAxes axes,
                      PairMatrix<Spatial>& f_q) {
  if (axes == LoadAxes::world) {
    f_q.block<3, 3>(9, 9) =
        skew(l) * skew(b.R.transpose() * force) + skew(b.R.transpose() * torque);
  } else {
    f_q.block<3, 3>(6, 9) = -b.R * skew(force);
  }
}

void rotation_tangent(const Planar::Kinematics& b,
                      const Eigen::Vector2d& l,
                      const Eigen::Vector2d& force,
                      const Eigen::Matrix<double, 1, 1>& /*torque*/,
                      LoadAxes axes,
                      PairMatrix<Planar>& f_q) {
  if (axes == LoadAxes::world) {
    f_q(5, 5) = -(b.R * l).dot(force);
  } else {
    f_q.block<2, 1>(3, 5) = perpendicular(b.R * force);
  }
}

template <class S>
Eigen::Matrix<double, S::freedoms, 1> velocity(const typename S::Kinematics& b) {
  Eigen::Matrix<double, S::freedoms, 1> v;
  v << b.v, b.w;
  return v;
}

}  // namespace

template <class S>
Load<S>::Load(const NodeFrame<S>& frame, Point force, Moment torque, LoadAxes axes)
    : Force<S>(0, frame.node), l_(frame.l), force_(force), torque_(torque), axes_(axes) {
  if (axes == LoadAxes::body) {
    force_ = frame.axes * force;
    if constexpr (S::space == Space::spatial) torque_ = frame.axes * torque;
  }
}

template <class S>
void Load<S>::evaluate(const Kinematics& /*a*/,
                       const Kinematics& b,
                       double /*t*/,
                       PairVector<S>& f) const {
  f.template head<S::freedoms>().setZero();
  f.template tail<S::freedoms>() = generalised(b, l_, force_, torque_, axes_);
}

template <class S>
void Load<S>::tangent(const Kinematics& /*a*/,
                      const Kinematics& b,
                      double /*t*/,
                      PairMatrix<S>& f_q,
                      PairMatrix<S>& f_v) const {
  f_q.setZero();
  f_v.setZero();
  rotation_tangent(b, l_, force_, torque_, axes_, f_q);
}

template <class S>
ForcePower Load<S>::power(const Kinematics& /*a*/, const Kinematics& b, double /*t*/) const {
  return {.load = generalised(b, l_, force_, torque_, axes_).dot(velocity<S>(b))};
}

template class Load<Planar>;
template class Load<Spatial>;

namespace {

LoadAxes axes(const Values& values) {
  return text(values, "axes") == "body" ? LoadAxes::body : LoadAxes::world;
}

Field axes_field() {
  return {.name = "axes",
          .kind = FieldKind::choice,
          .description = "axes of the vector: fixed in the world, or turning with the body's frame",
          .fallback = std::string("world"),
          .choices = {"world", "body"}};
}

std::unique_ptr<Force<Planar>> build_planar_force(const Values& values,
                                                  const NodeFrame<Planar>& /*a*/,
                                                  const NodeFrame<Planar>& b) {
  return std::make_unique<Load<Planar>>(b, vector(values, "force").head<2>(),
                                        Load<Planar>::Moment::Zero(), axes(values));
}

std::unique_ptr<Force<Spatial>> build_spatial_force(const Values& values,
                                                    const NodeFrame<Spatial>& /*a*/,
                                                    const NodeFrame<Spatial>& b) {
  return std::make_unique<Load<Spatial>>(b, vector(values, "force"), Eigen::Vector3d::Zero(),
                                         axes(values));
}

std::unique_ptr<Force<Planar>> build_planar_torque(const Values& values,
                                                   const NodeFrame<Planar>& /*a*/,
                                                   const NodeFrame<Planar>& b) {
  return std::make_unique<Load<Planar>>(
      b, Eigen::Vector2d::Zero(), Load<Planar>::Moment(number(values, "torque")), LoadAxes::world);
}

std::unique_ptr<Force<Spatial>> build_spatial_torque(const Values& values,
                                                     const NodeFrame<Spatial>& /*a*/,
                                                     const NodeFrame<Spatial>& b) {
  return std::make_unique<Load<Spatial>>(b, Eigen::Vector3d::Zero(), vector(values, "torque"),
                                         axes(values));
}

Field force_field() {
  return {.name = "force",
          .kind = FieldKind::vector,
          .dimension = core::dimension::force,
          .description = "force vector",
          .mirrored = Mirrored::polar};
}

}  // namespace

ForceKind planar_force() {
  return {.name = "force",
          .space = Space::planar,
          .summary = "constant force at a point of a body",
          .fields = {force_field(), axes_field()},
          .mirroring = mirrored_by_fields(),
          .attachments = 1,
          .build_planar = build_planar_force};
}

ForceKind spatial_force() {
  return {.name = "force",
          .space = Space::spatial,
          .summary = "constant force at a point of a body",
          .fields = {force_field(), axes_field()},
          .mirroring = mirrored_by_fields(),
          .attachments = 1,
          .build_spatial = build_spatial_force};
}

ForceKind planar_torque() {
  return {.name = "torque",
          .space = Space::planar,
          .summary = "constant torque on a body",
          .fields = {Field{.name = "torque",
                           .dimension = core::dimension::torque,
                           .description = "torque about z",
                           .mirrored = Mirrored::odd}},
          .mirroring = mirrored_by_fields(),
          .attachments = 1,
          .build_planar = build_planar_torque};
}

ForceKind spatial_torque() {
  return {.name = "torque",
          .space = Space::spatial,
          .summary = "constant torque on a body",
          .fields = {Field{.name = "torque",
                           .kind = FieldKind::vector,
                           .dimension = core::dimension::torque,
                           .description = "torque vector",
                           .mirrored = Mirrored::axial},
                     axes_field()},
          .mirroring = mirrored_by_fields(),
          .attachments = 1,
          .build_spatial = build_spatial_torque};
}

}  // namespace trammel::model
