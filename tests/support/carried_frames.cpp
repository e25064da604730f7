#include "support/carried_frames.h"

#include "trammel/math/rotation.h"

namespace trammel::support {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using math::skew;
using model::CarriedFrame;
using model::perpendicular;
using model::Planar;
using model::Spatial;

namespace {

class PlanarFrame final : public CarriedFrame<Planar> {
 public:
  explicit PlanarFrame(const BendingFrameData<Planar>& data) : d_(data) {}

  void pose(const Motion& on, Planar::Kinematics& k) const override {
    k.p = on.node(0).R * deflection(on);
    for (int i = 0; i < 3; ++i) k.p += d_.c[i] * (on.node(i).p + arm(on, i));
    k.angle = on.node(0).angle + d_.h.dot(on.amplitudes(0));
    k.R = Eigen::Rotation2Dd(k.angle).toRotationMatrix();
  }

  void map(const Motion& on, Map P) const override {
    for (int i = 0; i < 3; ++i) {
      P.block<2, 2>(0, 3 * i).diagonal().setConstant(d_.c[i]);
      P.block<2, 1>(0, 3 * i + 2) = d_.c[i] * perpendicular(arm(on, i));
    }
    P.block<2, 1>(0, 2) += perpendicular(on.node(0).R * deflection(on));
    P.block<2, 2>(0, 9) = on.node(0).R * d_.Phi;
    P(2, 2) = 1.0;
    P.block<1, 2>(2, 9) = d_.h.transpose();
  }

  void map_change(const Motion& on, const Direction& x, Map dP) const override {
    const Vector2d change = on.node(0).R * d_.Phi * x.segment<2>(9);
    for (int i = 0; i < 3; ++i) {
      dP.block<2, 1>(0, 3 * i + 2) = -d_.c[i] * x[3 * i + 2] * arm(on, i);
    }
    dP.block<2, 1>(0, 2) += perpendicular(change) - x[2] * (on.node(0).R * deflection(on));
    dP.block<2, 2>(0, 9) = x[2] * turned_modes(on);
  }

  void map_second_change(const Motion& on,
                         const Direction& x,
                         const Direction& y,
                         Map ddP) const override {
    const Vector2d along_x = on.node(0).R * d_.Phi * x.segment<2>(9);
    const Vector2d along_y = on.node(0).R * d_.Phi * y.segment<2>(9);
    for (int i = 0; i < 3; ++i) {
      ddP.block<2, 1>(0, 3 * i + 2) =
          -d_.c[i] * x[3 * i + 2] * y[3 * i + 2] * perpendicular(arm(on, i));
    }
    ddP.block<2, 1>(0, 2) -= x[2] * y[2] * perpendicular(on.node(0).R * deflection(on)) +
                             x[2] * along_y + y[2] * along_x;
    ddP.block<2, 2>(0, 9) = -x[2] * y[2] * on.node(0).R * d_.Phi;
  }

 private:
  Vector2d deflection(const Motion& on) const { return d_.Phi * on.amplitudes(0); }
  Vector2d arm(const Motion& on, int i) const {
    return on.node(i).R * d_.l[static_cast<std::size_t>(i)];
  }
  Eigen::Matrix2d turned_modes(const Motion& on) const {
    const Eigen::Matrix2d modes = on.node(0).R * d_.Phi;
    Eigen::Matrix2d turned;
    turned << perpendicular(modes.col(0)), perpendicular(modes.col(1));
    return turned;
  }

  BendingFrameData<Planar> d_;
};

class SpatialFrame final : public CarriedFrame<Spatial> {
 public:
  explicit SpatialFrame(const BendingFrameData<Spatial>& data) : d_(data) {}

  void pose(const Motion& on, Spatial::Kinematics& k) const override {
    k.p = on.node(0).R * deflection(on);
    for (int i = 0; i < 3; ++i) k.p += d_.c[i] * (on.node(i).p + on.node(i).R * l(i));
    k.R = on.node(0).R * turn(on).transpose();
  }

  void map(const Motion& on, Map P) const override {
    for (int i = 0; i < 3; ++i) {
      P.block<3, 3>(0, 6 * i).diagonal().setConstant(d_.c[i]);
      P.block<3, 3>(0, 6 * i + 3) = -d_.c[i] * on.node(i).R * skew(l(i));
    }
    P.block<3, 3>(0, 3) -= on.node(0).R * skew(deflection(on));
    P.block<3, 2>(0, 18) = on.node(0).R * d_.Phi;
    P.block<3, 3>(3, 3) = turn(on);
    P.block<3, 2>(3, 18) = d_.u * d_.h.transpose();
  }

  void map_change(const Motion& on, const Direction& x, Map dP) const override {
    for (int i = 0; i < 3; ++i) {
      dP.block<3, 3>(0, 6 * i + 3) =
          -d_.c[i] * on.node(i).R * skew(x.segment<3>(6 * i + 3)) * skew(l(i));
    }
    const Matrix3d R_x = on.node(0).R * skew(x.segment<3>(3));
    dP.block<3, 3>(0, 3) -= R_x * skew(deflection(on)) + on.node(0).R * skew(modes(x));
    dP.block<3, 2>(0, 18) = R_x * d_.Phi;
    dP.block<3, 3>(3, 3) = -d_.h.dot(x.segment<2>(18)) * skew(d_.u) * turn(on);
  }

  void map_second_change(const Motion& on,
                         const Direction& x,
                         const Direction& y,
                         Map ddP) const override {
    for (int i = 0; i < 3; ++i) {
      ddP.block<3, 3>(0, 6 * i + 3) = -d_.c[i] * on.node(i).R * skew(y.segment<3>(6 * i + 3)) *
                                      skew(x.segment<3>(6 * i + 3)) * skew(l(i));
    }
    const Matrix3d R_x = on.node(0).R * skew(x.segment<3>(3));
    const Matrix3d R_y = on.node(0).R * skew(y.segment<3>(3));
    const Matrix3d R_xy = R_y * skew(x.segment<3>(3));
    ddP.block<3, 3>(0, 3) -=
        R_xy * skew(deflection(on)) + R_x * skew(modes(y)) + R_y * skew(modes(x));
    ddP.block<3, 2>(0, 18) = R_xy * d_.Phi;
    ddP.block<3, 3>(3, 3) = d_.h.dot(x.segment<2>(18)) * d_.h.dot(y.segment<2>(18)) * skew(d_.u) *
                            skew(d_.u) * turn(on);
  }

 private:
  const Vector3d& l(int i) const { return d_.l[static_cast<std::size_t>(i)]; }
  Vector3d deflection(const Motion& on) const { return d_.Phi * on.amplitudes(0); }
  Vector3d modes(const Direction& x) const { return d_.Phi * x.segment<2>(18); }
  /// From the axes of the first body to those of the frame.
  Matrix3d turn(const Motion& on) const {
    return Eigen::AngleAxisd(-d_.h.dot(on.amplitudes(0)), d_.u).toRotationMatrix();
  }

  BendingFrameData<Spatial> d_;
};

}  // namespace

std::shared_ptr<const CarriedFrame<Planar>> bending_frame(const BendingFrameData<Planar>& data) {
  return std::make_shared<PlanarFrame>(data);
}

std::shared_ptr<const CarriedFrame<Spatial>> bending_frame(const BendingFrameData<Spatial>& data) {
  return std::make_shared<SpatialFrame>(data);
}

}  // namespace trammel::support
