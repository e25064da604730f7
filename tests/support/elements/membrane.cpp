#include "support/elements/membrane.h"

#include <Eigen/LU>

#include "trammel/math/rotation.h"
#include "trammel/model/block_element.h"

namespace trammel::support {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using model::Spatial;

namespace {

using Corners = Eigen::Matrix3d;                    // one in each column
using PointJacobian = Eigen::Matrix<double, 3, 6>;  // of a point by the freedoms of its node
using Gradient = Eigen::Matrix<double, 3, 2>;       // of positions by the flat triangle's
using Directions = Eigen::Matrix<double, 9, 9>;

class Membrane final : public model::BlockElement<Spatial> {
 public:
  Membrane(const model::Values& values, const model::ElementSite<Spatial>& site) {
    for (std::size_t i = 0; i < 3; ++i) arms_[i] = site.frames[i].l;
    const double base = model::number(values, "base");
    const double height = model::number(values, "height");
    Matrix2d edges;
    edges << base, model::number(values, "foot"), 0.0, height;
    inverse_edges_ = edges.inverse();
    volume_ = 0.5 * base * height * model::number(values, "thickness");
    mass_ = volume_ * model::number(values, "density");
    modulus_ = model::number(values, "modulus");
    poisson_ = model::number(values, "poissons_ratio");
  }

  void forces(const Motion& on, Column f) const override {
    const Corners load = loads(on);
    Corners bias;
    for (int i = 0; i < 3; ++i) bias.col(i) = centripetal(on, i);
    const Corners inertial = mass_of(bias);
    for (int i = 0; i < 3; ++i) {
      f.segment<6>(6 * i) = jacobian(on, i).transpose() * (load.col(i) - inertial.col(i));
    }
  }

  bool mass(const Motion& on, Square M) const override {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        M.block<6, 6>(6 * i, 6 * j) = share(i, j) * jacobian(on, i).transpose() * jacobian(on, j);
      }
    }
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& a,
               Square K,
               Square D) const override {
    Corners acceleration;
    for (int i = 0; i < 3; ++i) {
      acceleration.col(i) = jacobian(on, i) * a.segment<6>(6 * i) + centripetal(on, i);
    }
    const Corners rest = mass_of(acceleration) - loads(on);
    const Directions stiffness = stiffness_of(on);
    for (int i = 0; i < 3; ++i) {
      const Eigen::Matrix<double, 6, 3> B = jacobian(on, i).transpose();
      for (int j = 0; j < 3; ++j) {
        auto K_ij = K.block<6, 6>(6 * i, 6 * j);
        K_ij = B * stiffness.block<3, 3>(3 * i, 3 * j) * jacobian(on, j);
        K_ij.rightCols<3>() += share(i, j) * B * turn_of_acceleration(on, j, a);
        D.block<6, 6>(6 * i, 6 * j).rightCols<3>() = share(i, j) * B * spin_of_centripetal(on, j);
      }
      const Vector3d in_body = on.node(i).R.transpose() * rest.col(i);
      K.block<3, 3>(6 * i + 3, 6 * i + 3) += skew(arm(i)) * skew(in_body);
    }
  }

  bool lumped_mass(const Motion&, Column m) const override {
    for (const Vector3d& each : arms_) {
      if (!each.isZero()) return false;
    }
    for (int i = 0; i < 3; ++i) m.segment<3>(6 * i).setConstant(mass_ / 3.0);
    return true;
  }

  double potential(const Motion& on) const override {
    const Matrix2d E = strain(gradient(corners(on)));
    const Vector3d center = corners(on).rowwise().mean();
    return 0.5 * volume_ * (E.cwiseProduct(stress(E))).sum() - mass_ * on.gravity.dot(center);
  }

  std::vector<model::Quantity> quantities() const override {
    return {{"area_ratio", "", "", "of the area to that without load"}};
  }
  void measure(const Motion& on, double* values) const override {
    const Gradient F = gradient(corners(on));
    values[0] = F.col(0).cross(F.col(1)).norm();
  }

 private:
  const Vector3d& arm(int i) const { return arms_[static_cast<std::size_t>(i)]; }
  double share(int i, int j) const { return mass_ / 12.0 * (i == j ? 2.0 : 1.0); }
  Corners mass_of(const Corners& x) const {
    Corners y = x;
    y.colwise() += x.rowwise().sum();
    return mass_ / 12.0 * y;
  }

  Corners corners(const Motion& on) const {
    Corners x;
    for (int i = 0; i < 3; ++i) x.col(i) = on.node(i).p + on.node(i).R * arm(i);
    return x;
  }
  PointJacobian jacobian(const Motion& on, int i) const {
    PointJacobian B;
    B << Matrix3d::Identity(), -on.node(i).R * skew(arm(i));
    return B;
  }
  Vector3d centripetal(const Motion& on, int i) const {
    const auto& k = on.node(i);
    return k.R * k.w.cross(k.w.cross(arm(i)));
  }
  Matrix3d spin_of_centripetal(const Motion& on, int i) const {
    const auto& k = on.node(i);
    return -k.R * (skew(k.w.cross(arm(i))) + skew(k.w) * skew(arm(i)));
  }
  Matrix3d turn_of_acceleration(const Motion& on,
                                int i,
                                const Eigen::Ref<const Eigen::VectorXd>& a) const {
    const auto& k = on.node(i);
    const Vector3d alpha = a.segment<3>(6 * i + 3);
    return -k.R * skew(alpha.cross(arm(i)) + k.w.cross(k.w.cross(arm(i))));
  }

  Gradient gradient(const Corners& x) const {
    Gradient edges;
    edges << x.col(1) - x.col(0), x.col(2) - x.col(0);
    return edges * inverse_edges_;
  }
  static Matrix2d strain(const Gradient& F) {
    return 0.5 * (F.transpose() * F - Matrix2d::Identity());
  }
  Matrix2d stress(const Matrix2d& E) const {
    const double plane = modulus_ / (1.0 - poisson_ * poisson_);
    return plane * ((1.0 - poisson_) * E + poisson_ * E.trace() * Matrix2d::Identity());
  }
  // From the stress P by the flat triangle to forces on the corners.
  Corners on_corners(const Gradient& P) const {
    const Gradient edges = volume_ * P * inverse_edges_.transpose();
    Corners forces;
    forces << -edges.rowwise().sum(), edges;
    return forces;
  }
  Corners loads(const Motion& on) const {
    const Gradient F = gradient(corners(on));
    Corners load = -on_corners(F * stress(strain(F)));
    load.colwise() += mass_ / 3.0 * on.gravity;
    return load;
  }
  Directions stiffness_of(const Motion& on) const {
    const Gradient F = gradient(corners(on));
    const Matrix2d S = stress(strain(F));
    Directions K;
    for (int j = 0; j < 9; ++j) {
      Corners moved = Corners::Zero();
      moved(j % 3, j / 3) = 1.0;
      const Gradient dF = gradient(moved);
      const Matrix2d dE = 0.5 * (dF.transpose() * F + F.transpose() * dF);
      K.col(j) = on_corners(dF * S + F * stress(dE)).reshaped();
    }
    return K;
  }

  std::array<Vector3d, 3> arms_;
  Matrix2d inverse_edges_;
  double volume_ = 0.0;
  double mass_ = 0.0;
  double modulus_ = 0.0;
  double poisson_ = 0.0;
};

std::unique_ptr<model::BlockElement<Spatial>> build_membrane(
    const model::Values& values, const model::ElementSite<Spatial>& site) {
  return std::make_unique<Membrane>(values, site);
}

}  // namespace

model::ForceKind membrane() {
  using model::Field;
  using model::Sign;
  const auto positive = [](const char* name) {
    return Field{.name = name, .sign = Sign::positive};
  };
  return {.name = "membrane",
          .space = model::Space::spatial,
          .summary = "a flat triangle between three frames that stretches",
          .fields = {positive("base"), positive("height"), Field{.name = "foot"},
                     positive("density"), positive("modulus"), positive("thickness"),
                     Field{.name = "poissons_ratio", .sign = Sign::non_negative}},
          .mirroring = model::mirrored_by_fields(),
          .attachments = 3,
          .build_spatial_element = build_membrane};
}

}  // namespace trammel::support
