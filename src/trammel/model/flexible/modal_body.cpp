#include "trammel/model/flexible/modal_body.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/flexible/element_load.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

/// Numbers for each shape, with memory of their own.
using Numbers = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_shapes, 1>;
using SixNumbers = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6 * most_shapes, 1>;
using ThreeNumbers = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, most_shapes>;

Matrix3d symmetric(const SymmetricColumn& s) {
  Matrix3d A;
  A << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
  return A;
}

class ModalElement final : public BlockElement<Spatial> {
 public:
  explicit ModalElement(ModalBody body) : b_(std::move(body)), n_(b_.K.rows()) {}

  void forces(const Motion& on, Column f) const override {
    const Place at = place(on);
    const Vector3d& w = on.node(0).w;
    const auto rate = on.rates(0);
    const Vector3d g = at.R.transpose() * on.gravity;
    const Vector3d C_rate = s().C.lazyProduct(rate);
    const Vector3d H_rate = at.H.lazyProduct(rate);
    f.head<3>() = s().m * on.gravity - at.R * (w.cross(w.cross(at.c)) + 2.0 * w.cross(C_rate));
    f.segment<3>(3) = at.c.cross(g) - at.J_rate * w - w.cross(at.J * w + H_rate);
    for (Eigen::Index k = 0; k < n_; ++k) {
      f[6 + k] = s().C.col(k).dot(g) + 0.5 * w.dot(slope(at, k) * w) - b_.K.row(k).dot(at.eta) -
                 b_.D.row(k).dot(rate) + 2.0 * turned(w, k, rate);
    }
  }

  bool mass(const Motion& on, Square M) const override {
    const Place at = place(on);
    const Matrix3d turn = -at.R * skew(at.c);
    M.topLeftCorner<3, 3>().diagonal().setConstant(s().m);
    M.block<3, 3>(0, 3) = turn;
    M.block<3, 3>(3, 0) = turn.transpose();
    M.block<3, 3>(3, 3) = at.J;
    for (Eigen::Index k = 0; k < n_; ++k) {
      const Vector3d shift = at.R * s().C.col(k);
      M.block<3, 1>(0, 6 + k) = shift;
      M.block<1, 3>(6 + k, 0) = shift.transpose();
      M.block<3, 1>(3, 6 + k) = at.H.col(k);
      M.block<1, 3>(6 + k, 3) = at.H.col(k).transpose();
    }
    M.bottomRightCorner(n_, n_) = s().M_f;
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& a,
               Square K,
               Square D) const override {
    const Place at = place(on);
    const Vector3d& w = on.node(0).w;
    const auto rate = on.rates(0);
    const auto second = a.tail(n_);
    const Vector3d alpha = a.segment<3>(3);
    const Vector3d A = at.R.transpose() * (a.head<3>() - on.gravity);
    const Vector3d C_rate = s().C.lazyProduct(rate);
    const Vector3d H_rate = at.H.lazyProduct(rate);
    const Vector3d J_w = at.J * w;

    // By turns and angular velocity.
    const Vector3d carried = alpha.cross(at.c) + w.cross(w.cross(at.c)) + 2.0 * w.cross(C_rate) +
                             Vector3d(s().C.lazyProduct(second));
    K.block<3, 3>(0, 3) = -at.R * skew(carried);
    K.block<3, 3>(3, 3) = skew(at.c) * skew(A);
    D.block<3, 3>(0, 3) = -at.R * (skew(w.cross(at.c)) + skew(w) * skew(at.c) + 2.0 * skew(C_rate));
    D.block<3, 3>(3, 3) = at.J_rate + skew(w) * at.J - skew(J_w + H_rate);

    // By amplitudes and their rates, and the rows of the shapes.
    const Matrix3d around = skew(alpha) + skew(w) * skew(w);
    for (Eigen::Index k = 0; k < n_; ++k) {
      const Vector3d C = s().C.col(k);
      const Matrix3d J_k = slope(at, k);
      const Vector3d J_k_w = J_k * w;
      const Vector3d H_k_rate = shape_turn(k, rate);
      K.block<3, 1>(0, 6 + k) = at.R * (around * C);
      D.block<3, 1>(0, 6 + k) = 2.0 * at.R * w.cross(C);
      K.block<3, 1>(3, 6 + k) = C.cross(A) + J_k * alpha + slope_rate(k, rate) * w +
                                w.cross(J_k_w + H_k_rate) + shape_turn(k, second);
      D.block<3, 1>(3, 6 + k) = J_k_w + w.cross(at.H.col(k));
      K.block<1, 3>(6 + k, 3) = C.transpose() * skew(A);
      D.block<1, 3>(6 + k, 3) = -2.0 * H_k_rate.transpose() - J_k_w.transpose();
    }
    add_shape_tangent(w, alpha, K, D);
  }

  double potential(const Motion& on) const override {
    const Vector3d c = first_moment(on);
    return stored(on) - on.gravity.dot(s().m * on.node(0).p + on.node(0).R * c);
  }
  ForcePower power(const Motion& on) const override {
    const auto rate = on.rates(0);
    double lost = 0.0;
    for (Eigen::Index k = 0; k < n_; ++k) lost += rate[k] * b_.D.row(k).dot(rate);
    return {.dissipated = lost};
  }
  std::string discrete_obstacle() const override {
    return "its mass depends on how it is deformed";
  }

  std::vector<Quantity> quantities() const override {
    return {{"energy", "J", "", "stored by deformation"},
            {"section_turn", "rad", "", turn_description}};
  }
  void measure(const Motion& on, double* values) const override {
    values[0] = stored(on);
    values[1] = 0.0;
    for (const ShapeColumns& Psi : b_.turns) {
      values[1] = std::max(values[1], Vector3d(Psi.lazyProduct(on.amplitudes(0))).norm());
    }
  }

 private:
  struct Place {
    Matrix3d R;
    Numbers eta;
    Vector3d c;
    SixNumbers slopes;  ///< J_k one below the other
    Matrix3d J;
    Matrix3d J_rate;
    ThreeNumbers H;
  };

  const ShapeIntegrals& s() const { return b_.integrals; }

  Vector3d first_moment(const Motion& on) const {
    return s().c_0 + Vector3d(s().C.lazyProduct(on.amplitudes(0)));
  }
  double stored(const Motion& on) const {
    const auto eta = on.amplitudes(0);
    double energy = 0.0;
    for (Eigen::Index k = 0; k < n_; ++k) energy += 0.5 * eta[k] * b_.K.row(k).dot(eta);
    return energy;
  }

  Place place(const Motion& on) const {
    Place at{on.node(0).R, on.amplitudes(0), first_moment(on), s().a, s().J_0, {}, s().H_0};
    const auto rate = on.rates(0);
    at.slopes.noalias() += s().b * at.eta;
    SymmetricColumn J = SymmetricColumn::Zero();
    SymmetricColumn J_rate = SymmetricColumn::Zero();
    for (Eigen::Index k = 0; k < n_; ++k) {
      // J = J_0 + sum of eta_k (a_k + J_k)/2.
      J += 0.5 * at.eta[k] * (s().a.segment<6>(6 * k) + at.slopes.segment<6>(6 * k));
      J_rate += rate[k] * at.slopes.segment<6>(6 * k);
    }
    at.J += symmetric(J);
    at.J_rate = symmetric(J_rate);
    for (Eigen::Index j = 0; j < n_; ++j) {
      for (int axis = 0; axis < 3; ++axis) {
        at.H(axis, j) += s().h[static_cast<std::size_t>(axis)].col(j).dot(at.eta);
      }
    }
    return at;
  }

  /// dJ/d(eta_k).
  static Matrix3d slope(const Place& at, Eigen::Index k) {
    return symmetric(at.slopes.segment<6>(6 * k));
  }
  /// How that changes along x.
  template <class Column>
  Matrix3d slope_rate(Eigen::Index k, const Column& x) const {
    return symmetric(SymmetricColumn(s().b.middleRows<6>(6 * k).lazyProduct(x)));
  }
  /// dH/d(eta_k) x.
  template <class Column>
  Vector3d shape_turn(Eigen::Index k, const Column& x) const {
    return {s().h[0].row(k).dot(x), s().h[1].row(k).dot(x), s().h[2].row(k).dot(x)};
  }
  /// (W x)_k.
  template <class Column>
  double turned(const Vector3d& w, Eigen::Index k, const Column& x) const {
    return w.dot(shape_turn(k, x));
  }

  void add_shape_tangent(const Vector3d& w, const Vector3d& alpha, Square& K, Square& D) const {
    for (Eigen::Index k = 0; k < n_; ++k) {
      for (Eigen::Index j = 0; j < n_; ++j) {
        const Vector3d h(s().h[0](k, j), s().h[1](k, j), s().h[2](k, j));
        const Matrix3d b = symmetric(s().b.block<6, 1>(6 * k, j));
        K(6 + k, 6 + j) += b_.K(k, j) - alpha.dot(h) - 0.5 * w.dot(b * w);
        D(6 + k, 6 + j) += b_.D(k, j) - 2.0 * w.dot(h);
      }
    }
  }

  ModalBody b_;
  Eigen::Index n_;
};

}  // namespace

std::shared_ptr<const BlockElement<Spatial>> modal_body(ModalBody body) {
  return std::make_shared<ModalElement>(std::move(body));
}

}  // namespace trammel::model
