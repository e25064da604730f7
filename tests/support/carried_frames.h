// A frame that depends on three bodies and two amplitudes, as a marker on a body that bends does:
//
//     p = sum of c_i (p_i + R_i l_i) + R_1 Phi eta        R = R_1 turned about u by h . eta
//
// in space; in the plane u is its normal.
#pragma once

#include "trammel/model/description.h"
#include "trammel/model/frames/carried_frame.h"

namespace trammel::support {

template <class S>
struct BendingFrameData {
  using Modes = Eigen::Matrix<double, S::dimension, 2>;

  Eigen::Vector3d c = {1.0, 0.0, 0.0};  ///< their sum is one
  std::array<typename S::Point, 3> l{S::Point::Zero(), S::Point::Zero(), S::Point::Zero()};
  Modes Phi = Modes::Zero();
  Eigen::Vector2d h = Eigen::Vector2d::Zero();
  Eigen::Vector3d u = Eigen::Vector3d::UnitZ();
};

std::shared_ptr<const model::CarriedFrame<model::Planar>> bending_frame(
    const BendingFrameData<model::Planar>& data);
std::shared_ptr<const model::CarriedFrame<model::Spatial>> bending_frame(
    const BendingFrameData<model::Spatial>& data);

}  // namespace trammel::support
