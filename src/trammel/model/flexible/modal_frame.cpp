#include "trammel/model/flexible/modal_frame.h"

#include "trammel/model/flexible/turning_changes.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using turning_changes::Operator;
using turning_changes::TurnVector;

class ModalFrame final : public CarriedFrame<Spatial> {
 public:
  explicit ModalFrame(const ModalPoint& point) : at_(point) {}

  void pose(const Motion& on, Spatial::Kinematics& k) const override {
    k.p = on.node(0).p + on.node(0).R * place(on);
    k.R = on.node(0).R * math::exponential(turn(on)).toRotationMatrix() * at_.axes;
  }

  void map(const Motion& on, Map P) const override {
    const Matrix3d& R = on.node(0).R;
    P.topLeftCorner<3, 3>().setIdentity();
    P.block<3, 3>(0, 3) = -R * skew(place(on));
    set_shapes(R, at_.Phi, P.topRows<3>());
    const Vector3d none = Vector3d::Zero();
    const TurnVector theta{turn(on), none, none, none};
    P.block<3, 3>(3, 3) = at_.axes.transpose() * turned_back(theta, 1.0).value;
    set_shapes(at_.axes.transpose() * tangent_of_share(theta, 1.0).value, at_.Psi,
               P.bottomRows<3>());
  }

  void map_change(const Motion& on, const Direction& x, Map dP) const override {
    const Matrix3d& R = on.node(0).R;
    const Matrix3d R_x = R * skew(x.segment<3>(3));
    dP.block<3, 3>(0, 3) = -R_x * skew(place(on)) - R * skew(along(at_.Phi, x));
    set_shapes(R_x, at_.Phi, dP.topRows<3>());
    const Vector3d none = Vector3d::Zero();
    const TurnVector theta{turn(on), along(at_.Psi, x), none, none};
    dP.block<3, 3>(3, 3) = at_.axes.transpose() * turned_back(theta, 1.0).s;
    set_shapes(at_.axes.transpose() * tangent_of_share(theta, 1.0).s, at_.Psi, dP.bottomRows<3>());
  }

  void map_second_change(const Motion& on,
                         const Direction& x,
                         const Direction& y,
                         Map ddP) const override {
    const Matrix3d& R = on.node(0).R;
    const Matrix3d R_x = R * skew(x.segment<3>(3));
    const Matrix3d R_y = R * skew(y.segment<3>(3));
    const Matrix3d R_xy = R_y * skew(x.segment<3>(3));
    ddP.block<3, 3>(0, 3) =
        -R_xy * skew(place(on)) - R_x * skew(along(at_.Phi, y)) - R_y * skew(along(at_.Phi, x));
    set_shapes(R_xy, at_.Phi, ddP.topRows<3>());
    const TurnVector theta{turn(on), along(at_.Psi, x), along(at_.Psi, y), Vector3d::Zero()};
    ddP.block<3, 3>(3, 3) = at_.axes.transpose() * turned_back(theta, 1.0).st;
    set_shapes(at_.axes.transpose() * tangent_of_share(theta, 1.0).st, at_.Psi,
               ddP.bottomRows<3>());
  }

 private:
  static Vector3d along(const ShapeColumns& shapes, const Direction& x) {
    return shapes.lazyProduct(x.tail(shapes.cols()));
  }
  /// The columns of the amplitudes in some rows of a map.
  template <class Rows>
  static void set_shapes(const Matrix3d& A, const ShapeColumns& shapes, Rows rows) {
    for (Eigen::Index k = 0; k < shapes.cols(); ++k) rows.col(6 + k) = A * shapes.col(k);
  }
  Vector3d place(const Motion& on) const {
    return at_.x + Vector3d(at_.Phi.lazyProduct(on.amplitudes(0)));
  }
  Vector3d turn(const Motion& on) const { return at_.Psi.lazyProduct(on.amplitudes(0)); }

  ModalPoint at_;
};

}  // namespace

std::shared_ptr<const CarriedFrame<Spatial>> modal_frame(const ModalPoint& point) {
  return std::make_shared<ModalFrame>(point);
}

}  // namespace trammel::model
