// Damping of elements of bodies that bend in the plane.
//
//     viscosity       f = -tau B^T E B v,    B = de/dq                 [Kelvin and Voigt]
//     mass damping    f = -alpha M v                                   [Rayleigh]
//
// e are strains of the element that no motion as a whole changes, and E is their stiffness: its
// energy is e^T E e/2. Stress is that of the strain and of tau times its rate, then, and a beam
// that flies and turns is not slowed down. Rayleigh's alpha M + beta K is both with tau = beta; a
// mode of the frequency omega has the damping ratio alpha/(2 omega) + tau omega/2.
//
// Symbols: tau the viscosity (s), alpha the mass damping (1/s), M the element's mass.
#pragma once

#include <memory>

#include "trammel/model/block_element.h"

namespace trammel::model {

/// Strains of an element: as rows of the local unknowns, with memory of their own.
struct StrainRows {
  static constexpr int most = 16;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
};

/// `Strains` has stiffness(), E; rows(on), B; and change(on, x), dB along a displacement x of the
/// local unknowns.
template <class Strains>
class StrainDamping final : public BlockElement<Planar> {
 public:
  StrainDamping(Strains strains, double viscosity)
      : strains_(std::move(strains)), E_(viscosity * strains_.stiffness()) {}

  void forces(const Motion& on, Column f) const override {
    const StrainRows::Matrix B = strains_.rows(on);
    f = -(B.transpose() * (E_ * (B * velocities(on, f.size()))));
  }
  bool mass(const Motion& /*on*/, Square /*M*/) const override { return false; }
  bool has_mass() const override { return false; }
  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square D) const override {
    const StrainRows::Matrix B = strains_.rows(on);
    const StrainRows::Matrix E_B = E_ * B;
    const StrainRows::Column v = velocities(on, K.rows());
    const StrainRows::Column stress = E_B * v;
    for (Eigen::Index i = 0; i < K.cols(); ++i) {
      const StrainRows::Matrix change = strains_.change(on, StrainRows::Column::Unit(K.rows(), i));
      K.col(i) = change.transpose() * stress + E_B.transpose() * (change * v);
    }
    D = B.transpose() * E_B;
  }
  ForcePower power(const Motion& on) const override {
    const StrainRows::Matrix B = strains_.rows(on);
    const StrainRows::Column rates = B * velocities(on, B.cols());
    return {.dissipated = rates.dot(E_ * rates)};
  }
  std::string discrete_obstacle() const override { return {}; }

 private:
  static StrainRows::Column velocities(const Motion& on, Eigen::Index size) {
    StrainRows::Column v(size);
    on.velocities(v);
    return v;
  }

  Strains strains_;
  StrainRows::Matrix E_;  ///< tau E
};

template <class Strains>
std::shared_ptr<const BlockElement<Planar>> strain_damping(Strains strains, double viscosity) {
  return std::make_shared<StrainDamping<Strains>>(std::move(strains), viscosity);
}

/// Of an element with a mass, on the same footing.
class MassDamping final : public BlockElement<Planar> {
 public:
  MassDamping(std::shared_ptr<const BlockElement<Planar>> element, double alpha)
      : element_(std::move(element)), alpha_(alpha) {}

  void forces(const Motion& on, Column f) const override {
    const StrainRows::Matrix M = damping(on, f.size());
    f = -(M * velocities(on, f.size()));
  }
  bool mass(const Motion& /*on*/, Square /*M*/) const override { return false; }
  bool has_mass() const override { return false; }
  // The element's own d(M a - f)/dq is M's change times a, and something without a.
  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square D) const override {
    const Eigen::Index n = K.rows();
    StrainRows::Matrix without = StrainRows::Matrix::Zero(n, n);
    StrainRows::Matrix by_velocity = StrainRows::Matrix::Zero(n, n);
    const StrainRows::Column none = StrainRows::Column::Zero(n);
    const StrainRows::Column slowing = alpha_ * velocities(on, n);
    element_->tangent(on, none, without, by_velocity);
    by_velocity.setZero();
    element_->tangent(on, slowing, K, by_velocity);
    K -= without;
    D = damping(on, n);
  }
  ForcePower power(const Motion& on) const override {
    const Eigen::Index n = on.footing.size();
    const StrainRows::Column v = velocities(on, n);
    return {.dissipated = v.dot(damping(on, n) * v)};
  }
  std::string discrete_obstacle() const override { return {}; }

 private:
  static StrainRows::Column velocities(const Motion& on, Eigen::Index size) {
    StrainRows::Column v(size);
    on.velocities(v);
    return v;
  }
  StrainRows::Matrix damping(const Motion& on, Eigen::Index size) const {
    StrainRows::Matrix M = StrainRows::Matrix::Zero(size, size);
    element_->mass(on, M);
    return alpha_ * M;
  }

  std::shared_ptr<const BlockElement<Planar>> element_;
  double alpha_;
};

}  // namespace trammel::model
