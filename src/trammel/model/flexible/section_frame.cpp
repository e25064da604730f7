#include "trammel/model/flexible/section_frame.h"

#include "trammel/math/rotation.h"
#include "trammel/math/stumpff.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A value with its derivatives by s, by t and by both.
template <class Value>
struct TwoWays {
  Value value;
  Value s;
  Value t;
  Value st;
};

/// A function of z = theta . theta with its derivatives.
struct OfSquare {
  double value = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};

/// c_k(xi^2 z) by z.
OfSquare stumpff_of_share(const std::array<double, 8>& c, std::size_t k, double xi) {
  const double square = xi * xi;
  return {c[k], square * math::stumpff_slope(c, k),
          square * square * math::stumpff_curvature(c, k)};
}

/// Of S = 1 + skew/2 + c skew^2: c = (c_2 - c_3)/(4 c_1) at z/4.
OfSquare inverse_coefficient(double z) {
  const auto c = math::stumpff(0.25 * z);
  const double n = c[2] - c[3];
  const double n1 = math::stumpff_slope(c, 2) - math::stumpff_slope(c, 3);
  const double n2 = math::stumpff_curvature(c, 2) - math::stumpff_curvature(c, 3);
  const double d = c[1];
  const double d1 = math::stumpff_slope(c, 1);
  const double d2 = math::stumpff_curvature(c, 1);
  const double q = n / d;
  const double q1 = (n1 - q * d1) / d;
  const double q2 = (n2 - 2.0 * q1 * d1 - q * d2) / d;
  return {0.25 * q, q1 / 16.0, q2 / 64.0};
}

using Turn = TwoWays<Vector3d>;
using Operator = TwoWays<Matrix3d>;

/// f(z) with z = theta . theta.
TwoWays<double> composed(const OfSquare& f, const Turn& theta) {
  const double z_s = 2.0 * theta.value.dot(theta.s);
  const double z_t = 2.0 * theta.value.dot(theta.t);
  const double z_st = 2.0 * (theta.s.dot(theta.t) + theta.value.dot(theta.st));
  return {f.value, f.slope * z_s, f.slope * z_t, f.slope * z_st + f.curvature * z_s * z_t};
}

Operator operator*(const Operator& a, const Operator& b) {
  return {a.value * b.value, a.s * b.value + a.value * b.s, a.t * b.value + a.value * b.t,
          a.st * b.value + a.s * b.t + a.t * b.s + a.value * b.st};
}

Operator scaled(const TwoWays<double>& f, const Operator& A) {
  return {f.value * A.value, f.s * A.value + f.value * A.s, f.t * A.value + f.value * A.t,
          f.st * A.value + f.s * A.t + f.t * A.s + f.value * A.st};
}

/// 1 + a skew(theta) + b skew(theta)^2.
Operator form(const TwoWays<double>& a, const TwoWays<double>& b, const Turn& theta) {
  const Operator skew{math::skew(theta.value), math::skew(theta.s), math::skew(theta.t),
                      math::skew(theta.st)};
  const Operator first = scaled(a, skew);
  const Operator second = scaled(b, skew * skew);
  return {Matrix3d::Identity() + first.value + second.value, first.s + second.s, first.t + second.t,
          first.st + second.st};
}

OfSquare times(double factor, const OfSquare& f) {
  return {factor * f.value, factor * f.slope, factor * f.curvature};
}

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
    const Turn by_s = turn_along({theta, none, by_t, none}, x);
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

  static Operator inverse_tangent(const Turn& theta) {
    return form({0.5, 0.0, 0.0, 0.0},
                composed(inverse_coefficient(theta.value.squaredNorm()), theta), theta);
  }
  /// theta' by displacements of the nodes.
  Turn turn_along(const Turn& theta, const Direction& x) const {
    const Operator S = inverse_tangent(theta);
    const Vector3d x_1 = A_1_.transpose() * x.segment<3>(3);
    const Vector3d x_2 = A_2_.transpose() * x.segment<3>(9);
    const auto along = [&](const Matrix3d& A) -> Vector3d { return A * x_2 - A.transpose() * x_1; };
    return {along(S.value), along(S.s), along(S.t), along(S.st)};
  }

  Blocks turns(const Turn& theta) const {
    const auto c = math::stumpff(xi_ * xi_ * theta.value.squaredNorm());
    const auto share = [&](std::size_t k, double factor) {
      return composed(times(factor, stumpff_of_share(c, k, xi_)), theta);
    };
    const Operator back = form(share(1, -xi_), share(2, xi_ * xi_), theta);
    const Operator tangent = form(share(2, -xi_), share(3, xi_ * xi_), theta);
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
