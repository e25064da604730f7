// Frames on bodies in a floating frame: a point of the body with axes, moved by shapes that have
// amplitudes eta,
//
//     p = p_O + R (x + Phi eta)        R_F = R exp(skew(theta)) A,   theta = Psi eta
//
// p_O and R are origin and axes of the floating frame, x and A place and axes of the point without
// deformation, Phi and Psi displacement and turn of the point for each shape, in the floating
// frame. The turn is a rotation of any size, though the shapes are those of small ones. With T the
// tangent operator of rotations (math/rotation.h),
//
//     v = v_O + R [w x (x + Phi eta) + Phi eta']       w_F = A^T [exp(-skew(theta)) w + T Psi eta']
#pragma once

#include <memory>

#include "trammel/model/frames/carried_frame.h"

namespace trammel::model {

/// Displacements (or turns) of a point, a column for each shape.
using ShapeColumns = Eigen::Matrix<double, 3, Eigen::Dynamic>;

struct ModalPoint {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< A
  ShapeColumns Phi;
  ShapeColumns Psi;
};

/// Stands on the floating frame and on one set of amplitudes.
std::shared_ptr<const CarriedFrame<Spatial>> modal_frame(const ModalPoint& point);

}  // namespace trammel::model
