#include "trammel/model/flexible/section_frame.h"

#include "trammel/model/flexible/turning_changes.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using turning_changes::Operator;
using turning_changes::TurnVector;

class SectionFrame final : public CarriedFrame<Spatial> {
 public:
  SectionFrame(double xi, const Matrix3d& first, const Matrix3d& second)
      : xi_(xi), A_1_(first), A_2_(second) {}

  void pose(const Motion& on, Spatial::Kinematics& k) const override {
    k.p = (1.0 - xi_) * on.node(0).p + xi_ * on.node(1).p;
    k.R = on.node(0).R * A_1_ * math::exponential(xi_ * turn(on)).toRotationMatrix();
  }
  void map(const Motion& on, Map P) const override {
    const Vector3d none = Vector3d::Zero();
    const Blocks blocks = turns({turn(on), none, none, none});
    P.block<3, 3>(0, 0) = (1.0 - xi_) * Matrix3d::Identity();
    P.block<3, 3>(0, 6) = xi_ * Matrix3d::Identity();
    P.block<3, 3>(3, 3) = blocks.first.value * A_1_.transpose();
    P.block<3, 3>(3, 9) = blocks.second.value * A_2_.transpose();
  }
  void map_change(const Motion& on, const Direction& x, Map dP) const override {
    const Vector3d none = Vector3d::Zero();
    const Vector3d theta = turn(on);
    const Blocks blocks =
        turns({theta, turn_along({theta, none, none, none}, x).value, none, none});
    dP.block<3, 3>(3, 3) = blocks.first.s * A_1_.transpose();
    dP.block<3, 3>(3, 9) = blocks.second.s * A_2_.transpose();
  }
  void map_second_change(const Motion& on,
                         const Direction& x,
                         const Direction& y,
                         Map ddP) const override {
    const Vector3d none = Vector3d::Zero();
    const Vector3d theta = turn(on);
    const Vector3d by_t = turn_along({theta, none, none, none}, y).value;
    const TurnVector by_s = turn_along({theta, none, by_t, none}, x);
    const Blocks blocks = turns({theta, by_s.value, by_t, by_s.t});
    ddP.block<3, 3>(3, 3) = blocks.first.st * A_1_.transpose();
    ddP.block<3, 3>(3, 9) = blocks.second.st * A_2_.transpose();
  }

 private:
  /// What turns of the sections at the ends add to that of the frame.
  struct Blocks {
    Operator first;
    Operator second;
  };

  Vector3d turn(const Motion& on) const {
    const Matrix3d R = (on.node(0).R * A_1_).transpose() * on.node(1).R * A_2_;
    return math::logarithm(Eigen::Quaterniond(R));
  }

  static Operator inverse_tangent(const TurnVector& theta) {
    return form({0.5, 0.0, 0.0, 0.0},
                composed(turning_changes::inverse_coefficient(theta.value.squaredNorm()), theta),
                theta);
  }
  /// theta' by displacements of the nodes.
  TurnVector turn_along(const TurnVector& theta, const Direction& x) const {
    const Operator S = inverse_tangent(theta);
    const Vector3d x_1 = A_1_.transpose() * x.segment<3>(3);
    const Vector3d x_2 = A_2_.transpose() * x.segment<3>(9);
    const auto along = [&](const Matrix3d& A) -> Vector3d { return A * x_2 - A.transpose() * x_1; };
    return {along(S.value), along(S.s), along(S.t), along(S.st)};
  }

  Blocks turns(const TurnVector& theta) const {
    const Operator back = turned_back(theta, xi_);
    const Operator tangent = tangent_of_share(theta, xi_);
    const Operator S = inverse_tangent(theta);
    const Operator S_T{S.value.transpose(), S.s.transpose(), S.t.transpose(), S.st.transpose()};
    const Operator from_first = tangent * S_T;
    const Operator from_second = tangent * S;
    return {
        {back.value - xi_ * from_first.value, back.s - xi_ * from_first.s,
         back.t - xi_ * from_first.t, back.st - xi_ * from_first.st},
        {xi_ * from_second.value, xi_ * from_second.s, xi_ * from_second.t, xi_ * from_second.st}};
  }

  double xi_;
  Matrix3d A_1_;
  Matrix3d A_2_;
};

}  // namespace

std::shared_ptr<const CarriedFrame<Spatial>> section_frame(double xi,
                                                           const Matrix3d& first,
                                                           const Matrix3d& second) {
  return std::make_shared<SectionFrame>(xi, first, second);
}

}  // namespace trammel::model
