#include "trammel/model/flexible/reissner_beam.h"

#include <algorithm>
#include <array>

#include "trammel/math/rotation.h"
#include "trammel/math/stumpff.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using Nine = Eigen::Matrix<double, 3, 9>;
using Twelve = Eigen::Matrix<double, 12, 12>;
using TwelveVector = Eigen::Matrix<double, 12, 1>;

/// Two nodes at the ends; what is known at the middle is in its axes.
class ReissnerBeam final : public BlockElement<Spatial> {
 public:
  ReissnerBeam(const BeamSection& section,
               const ReissnerPlace& place,
               const ReissnerOptions& options)
      : L_(place.length),
        C_N_(section.force),
        C_M_(section.moment),
        shear_(section.force.tail<2>()),
        eta_(options.viscosity),
        coupled_(options.coupled_mass),
        A_1_(place.first_node.transpose() * place.first),
        A_2_(place.second_node.transpose() * place.second) {
    if (options.shear == BeamShear::compensated) {
      // Shear along y goes with bending about z.
      C_N_[1] = 1.0 / (1.0 / C_N_[1] + L_ * L_ / (12.0 * C_M_[2]));
      C_N_[2] = 1.0 / (1.0 / C_N_[2] + L_ * L_ / (12.0 * C_M_[1]));
    }
    if (coupled_) set_mass(section.mass * place.length);
    const Pose rest = pose(place.way, place.first, place.second);
    gamma_0_ = rest.gamma;
    theta_0_ = rest.theta;
  }

  void forces(const Motion& on, Column f) const override {
    const Pose p = pose(on);
    f = -nodal(p, loads(p, rates(p, on)));
    if (coupled_) f -= slopes(on).on_nodes(N_ * bias(on) - mean_ * on.gravity.transpose());
  }

  bool mass(const Motion& on, Square M) const override {
    if (!coupled_) return false;
    const Slopes t = slopes(on);
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 2; ++l) {
        M.block<3, 3>(6 * k, 6 * l).diagonal().setConstant(N_(2 * k, 2 * l));
        M.block<3, 3>(6 * k, 6 * l + 3) = N_(2 * k, 2 * l + 1) * t.T[l];
        M.block<3, 3>(6 * k + 3, 6 * l) = N_(2 * k + 1, 2 * l) * t.T[k].transpose();
        M.block<3, 3>(6 * k + 3, 6 * l + 3) =
            N_(2 * k + 1, 2 * l + 1) * t.T[k].transpose() * t.T[l];
      }
    }
    return true;
  }
  bool has_mass() const override { return coupled_; }
  bool lumped_mass(const Motion& /*on*/, Column /*m*/) const override { return true; }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& a,
               Square K,
               Square D) const override {
    const Pose p = pose(on);
    const Rates v = rates(p, on);
    const Loads s = loads(p, v);
    const Maps x = maps(p);

    // Changes of the loads by the displacements (Delta, u_1, u_2), all in the axes of the middle.
    Nine dN = C_N_.asDiagonal() * x.gamma;
    Nine dM = C_M_.asDiagonal() * x.theta / L_;
    if (eta_ > 0.0) add_viscous(p, v, x, dN, dM);
    const Matrix3d phi = skew(p.phi);
    const Nine dm = L_ * (skew(s.N) * x.gamma - skew(p.gamma) * dN);
    const Vector3d phi_M = p.phi.cross(s.M);
    const Matrix3d turned =
        -p.k * (skew(phi_M) + phi * skew(s.M)) - p.tau * skew(s.m) +
        2.0 * (p.dk * p.phi.cross(phi_M) + p.dtau * p.phi.cross(s.m)) * p.phi.transpose();
    const Nine dg = p.B_inverse * dM + 0.5 * turned * x.theta + p.tau * phi * dm;
    const Nine dn = dN - skew(s.N) * x.psi;
    Nine d1 = 0.5 * dm - dg - skew(s.mu_1) * x.psi;
    Nine d2 = 0.5 * dm + dg - skew(s.mu_2) * x.psi;
    d1.middleCols<3>(3) += skew(s.mu_1);
    d2.middleCols<3>(6) += skew(s.mu_2);
    K = spread(p, dn, d1, d2);
    if (eta_ > 0.0) {
      const Nine vN = eta_ * C_N_.asDiagonal() * x.gamma;
      const Nine vm = -L_ * skew(p.gamma) * vN;
      const Nine vg = p.B_inverse * (eta_ / L_ * C_M_.asDiagonal() * x.theta) + p.tau * phi * vm;
      D = spread(p, vN, 0.5 * vm - vg, 0.5 * vm + vg);
    }
    if (coupled_) add_inertial(on, a, K, D);
  }
  bool depends_on_velocity() const override { return eta_ > 0.0 || coupled_; }

  double potential(const Motion& on) const override {
    const double energy = stored(pose(on));
    if (!coupled_) return energy;
    return energy - on.gravity.dot(mean_[1] * on.node(0).R * t_1_ + mean_[3] * on.node(1).R * t_2_);
  }
  ForcePower power(const Motion& on) const override {
    if (eta_ == 0.0) return {};
    const Pose p = pose(on);
    const Rates v = rates(p, on);
    return {.dissipated = eta_ * (L_ * v.gamma.dot(C_N_.cwiseProduct(v.gamma)) +
                                  v.theta.dot(C_M_.cwiseProduct(v.theta)) / L_)};
  }

  std::vector<Quantity> quantities() const override {
    return {{"strain", "", "", "of the centre line"},
            {"axial_force", "N", "", "positive when it pulls"},
            {"energy", "J", "", "stored by deformation"},
            {"shear_force_y", "N", "", "on the section towards the tip, along its y axis"},
            {"shear_force_z", "N", "", "on the section towards the tip, along its z axis"},
            {"torque", "N m", "", "about the x axis of the section"},
            {"moment_y", "N m", "", "of bending about the y axis of the section"},
            {"moment_z", "N m", "", "of bending about the z axis of the section"},
            {"shear_y", "rad", "", "strain of shear along y"},
            {"shear_z", "rad", "", "strain of shear along z"},
            {"twist", "rad/m", "", "turn about x for each metre"},
            {"curvature_y", "rad/m", "", "turn about y for each metre"},
            {"curvature_z", "rad/m", "", "turn about z for each metre"}};
  }
  void measure(const Motion& on, double* values) const override {
    const Pose p = pose(on);
    const Loads s = loads(p, rates(p, on));
    const Vector3d strain = p.gamma - gamma_0_;
    const Vector3d turn = (p.theta - theta_0_) / L_;
    // Of the shear of the element the share that bends nothing.
    const double y = strain[1] * C_N_[1] / shear_[0];
    const double z = strain[2] * C_N_[2] / shear_[1];
    const std::array<double, 13> list{strain[0], s.N[0],  stored(p), s.N[1], s.N[2],
                                      s.M[0],    s.M[1],  s.M[2],    y,      z,
                                      turn[0],   turn[1], turn[2]};
    std::copy(list.begin(), list.end(), values);
  }

 private:
  /// Vectors of r_1, t_1, r_2 and t_2, one in each row.
  using Line = Eigen::Matrix<double, 4, 3>;
  /// t_k' = T_k w_k.
  struct Slopes {
    Matrix3d T[2];

    /// B^T y: from loads on positions and slopes to those on the nodes.
    TwelveVector on_nodes(const Line& y) const {
      TwelveVector f;
      for (int k = 0; k < 2; ++k) {
        f.segment<3>(6 * k) = y.row(2 * k);
        f.segment<3>(6 * k + 3) = T[k].transpose() * y.row(2 * k + 1).transpose();
      }
      return f;
    }
  };

  struct Pose {
    Vector3d theta;
    Vector3d phi;  ///< theta/2
    Vector3d gamma;
    Matrix3d R;         ///< R_m
    Matrix3d lambda_1;  ///< from axes of the node to those of the middle
    Matrix3d lambda_2;
    Matrix3d B_inverse;
    double k = 0.0;
    double tau = 0.0;
    double dk = 0.0;  ///< by f^2
    double dtau = 0.0;
  };
  struct Rates {
    Vector3d u_1 = Vector3d::Zero();
    Vector3d u_2 = Vector3d::Zero();
    Vector3d way = Vector3d::Zero();  ///< R_m^T Delta'
    Vector3d psi = Vector3d::Zero();
    Vector3d gamma = Vector3d::Zero();
    Vector3d theta = Vector3d::Zero();
  };
  struct Loads {
    Vector3d N;
    Vector3d M;
    Vector3d m;     ///< L N x gamma
    Vector3d mu_1;  ///< moments that hold the nodes, in the axes of the middle
    Vector3d mu_2;
  };
  /// From (Delta, u_1, u_2) to changes of strain and to the turn of the middle.
  struct Maps {
    Nine psi = Nine::Zero();
    Nine theta = Nine::Zero();
    Nine gamma;
  };

  Pose pose(const Motion& on) const {
    const Spatial::Kinematics& a = on.node(0);
    const Spatial::Kinematics& b = on.node(1);
    Pose p = pose(b.p - a.p, a.R * A_1_, b.R * A_2_);
    p.lambda_1 *= A_1_.transpose();
    p.lambda_2 *= A_2_.transpose();
    return p;
  }
  /// Of sections whose nodes have their axes.
  Pose pose(const Vector3d& way, const Matrix3d& R_1, const Matrix3d& R_2) const {
    Pose p;
    Eigen::Quaterniond turn(Matrix3d(R_1.transpose() * R_2));
    if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
    p.theta = math::logarithm(turn);
    p.phi = 0.5 * p.theta;
    // Half of the turn: the quaternion between this one and that of no turn.
    turn.w() += 1.0;
    p.lambda_2 = turn.normalized().toRotationMatrix();
    p.lambda_1 = p.lambda_2.transpose();
    p.R = R_1 * p.lambda_2;
    p.gamma = p.R.transpose() * way / L_;
    const auto c = math::stumpff(p.phi.squaredNorm());
    p.k = -c[3] / c[1];
    p.dk = (c[3] * math::stumpff_slope(c, 1) - math::stumpff_slope(c, 3) * c[1]) / (c[1] * c[1]);
    const double half = 1.0 + c[0];
    p.tau = 0.5 * c[1] / half;
    p.dtau = 0.5 * (math::stumpff_slope(c, 1) * half + 0.5 * c[1] * c[1]) / (half * half);
    const Matrix3d phi = skew(p.phi);
    p.B_inverse = Matrix3d::Identity() + p.k * phi * phi;
    return p;
  }

  Rates rates(const Pose& p, const Motion& on) const {
    Rates v;
    if (eta_ == 0.0) return v;
    v.u_1 = p.lambda_1 * on.node(0).w;
    v.u_2 = p.lambda_2 * on.node(1).w;
    v.way = p.R.transpose() * (on.node(1).v - on.node(0).v);
    const Vector3d e = v.u_2 - v.u_1;
    v.psi = 0.5 * (v.u_1 + v.u_2) - p.tau * p.phi.cross(e);
    v.gamma = v.way / L_ - v.psi.cross(p.gamma);
    v.theta = p.B_inverse * e;
    return v;
  }

  Loads loads(const Pose& p, const Rates& v) const {
    Loads s;
    s.N = C_N_.cwiseProduct(p.gamma - gamma_0_ + eta_ * v.gamma);
    s.M = C_M_.cwiseProduct(p.theta - theta_0_ + eta_ * v.theta) / L_;
    s.m = L_ * s.N.cross(p.gamma);
    const Vector3d g = p.B_inverse * s.M + p.tau * p.phi.cross(s.m);
    s.mu_1 = 0.5 * s.m - g;
    s.mu_2 = 0.5 * s.m + g;
    return s;
  }

  double stored(const Pose& p) const {
    const Vector3d strain = p.gamma - gamma_0_;
    const Vector3d turn = p.theta - theta_0_;
    return 0.5 *
           (L_ * strain.dot(C_N_.cwiseProduct(strain)) + turn.dot(C_M_.cwiseProduct(turn)) / L_);
  }

  static TwelveVector nodal(const Pose& p, const Loads& s) {
    TwelveVector f;
    const Vector3d n = p.R * s.N;
    f << -n, p.lambda_1.transpose() * s.mu_1, n, p.lambda_2.transpose() * s.mu_2;
    return f;
  }

  Maps maps(const Pose& p) const {
    Maps x;
    const Matrix3d arm = p.tau * skew(p.phi);
    x.psi.middleCols<3>(3) = 0.5 * Matrix3d::Identity() + arm;
    x.psi.middleCols<3>(6) = 0.5 * Matrix3d::Identity() - arm;
    x.theta.middleCols<3>(3) = -p.B_inverse;
    x.theta.middleCols<3>(6) = p.B_inverse;
    x.gamma = skew(p.gamma) * x.psi;
    x.gamma.leftCols<3>().diagonal().array() += 1.0 / L_;
    return x;
  }

  // What the rates of strain change by displacements, at the same velocities of the nodes.
  void add_viscous(const Pose& p, const Rates& v, const Maps& x, Nine& dN, Nine& dM) const {
    Nine d1 = skew(v.u_1) * x.psi;
    Nine d2 = skew(v.u_2) * x.psi;
    d1.middleCols<3>(3) -= skew(v.u_1);
    d2.middleCols<3>(6) -= skew(v.u_2);
    const Vector3d e = v.u_2 - v.u_1;
    const Nine de = d2 - d1;
    const Matrix3d phi = skew(p.phi);
    const Vector3d phi_e = p.phi.cross(e);
    const Nine dpsi = 0.5 * (d1 + d2) - p.tau * phi * de +
                      (0.5 * p.tau * skew(e) - p.dtau * phi_e * p.phi.transpose()) * x.theta;
    const Nine dgamma = skew(v.way) * x.psi / L_ - skew(v.psi) * x.gamma + skew(p.gamma) * dpsi;
    const Nine dtheta = p.B_inverse * de + (p.dk * p.phi.cross(phi_e) * p.phi.transpose() -
                                            0.5 * p.k * (skew(phi_e) + phi * skew(e))) *
                                               x.theta;
    dN += eta_ * C_N_.asDiagonal() * dgamma;
    dM += eta_ / L_ * C_M_.asDiagonal() * dtheta;
  }

  const Vector3d& tangent_at(int k) const { return k == 0 ? t_1_ : t_2_; }
  Slopes slopes(const Motion& on) const {
    return {{-on.node(0).R * skew(t_1_), -on.node(1).R * skew(t_2_)}};
  }
  /// Accelerations of the slopes at any velocity.
  Line bias(const Motion& on) const {
    Line b = Line::Zero();
    for (int k = 0; k < 2; ++k) {
      const Vector3d& w = on.node(k).w;
      b.row(2 * k + 1) = on.node(k).R * w.cross(w.cross(tangent_at(k)));
    }
    return b;
  }
  // Of B^T (N (B a + b) - weight).
  void add_inertial(const Motion& on,
                    const Eigen::Ref<const Eigen::VectorXd>& a,
                    Square& K,
                    Square& D) const {
    const Slopes t = slopes(on);
    Line acceleration = bias(on);
    for (int k = 0; k < 2; ++k) {
      acceleration.row(2 * k) = a.segment<3>(6 * k);
      acceleration.row(2 * k + 1) += t.T[k] * a.segment<3>(6 * k + 3);
    }
    const Line load = N_ * acceleration - mean_ * on.gravity.transpose();
    for (int k = 0; k < 2; ++k) {
      const Matrix3d& R = on.node(k).R;
      const Vector3d& w = on.node(k).w;
      const Vector3d& e = tangent_at(k);
      const Vector3d z = R.transpose() * acceleration.row(2 * k + 1).transpose();
      const Vector3d y = R.transpose() * load.row(2 * k + 1).transpose();
      K.block<3, 3>(6 * k + 3, 6 * k + 3) += skew(e) * skew(y);
      const Matrix3d by_turn = -R * skew(z);
      const Matrix3d by_rate = -R * (skew(w.cross(e)) + skew(w) * skew(e));
      for (int l = 0; l < 2; ++l) {
        const double n = N_(2 * l, 2 * k + 1);
        const double s = N_(2 * l + 1, 2 * k + 1);
        K.block<3, 3>(6 * l, 6 * k + 3) += n * by_turn;
        K.block<3, 3>(6 * l + 3, 6 * k + 3) += s * t.T[l].transpose() * by_turn;
        D.block<3, 3>(6 * l, 6 * k + 3) += n * by_rate;
        D.block<3, 3>(6 * l + 3, 6 * k + 3) += s * t.T[l].transpose() * by_rate;
      }
    }
  }

  void set_mass(double m) {
    t_1_ = A_1_.col(0);
    t_2_ = A_2_.col(0);
    const double L = L_;
    N_ << 13.0 / 35.0 - 0.5, 11.0 * L / 210.0, 9.0 / 70.0, -13.0 * L / 420.0,  //
        11.0 * L / 210.0, L * L / 105.0, 13.0 * L / 420.0, -L * L / 140.0,     //
        9.0 / 70.0, 13.0 * L / 420.0, 13.0 / 35.0 - 0.5, -11.0 * L / 210.0,    //
        -13.0 * L / 420.0, -L * L / 140.0, -11.0 * L / 210.0, L * L / 105.0;
    N_ *= m;
    mean_ << 0.0, m * L / 12.0, 0.0, -m * L / 12.0;
  }

  // To the nodes' own unknowns: forces in world axes, moments in those of the nodes.
  static Twelve spread(const Pose& p, const Nine& n, const Nine& mu_1, const Nine& mu_2) {
    Eigen::Matrix<double, 9, 9> middle;
    middle << p.R * n, p.lambda_1.transpose() * mu_1, p.lambda_2.transpose() * mu_2;
    Twelve K;
    Eigen::Matrix<double, 9, 12> columns;
    columns.middleCols<3>(6) = middle.leftCols<3>() * p.R.transpose();
    columns.middleCols<3>(0) = -columns.middleCols<3>(6);
    columns.middleCols<3>(3) = middle.middleCols<3>(3) * p.lambda_1;
    columns.middleCols<3>(9) = middle.middleCols<3>(6) * p.lambda_2;
    K.middleRows<3>(6) = columns.topRows<3>();
    K.middleRows<3>(0) = -columns.topRows<3>();
    K.middleRows<3>(3) = columns.middleRows<3>(3);
    K.middleRows<3>(9) = columns.middleRows<3>(6);
    return K;
  }

  double L_;
  Vector3d C_N_;
  Vector3d C_M_;
  Eigen::Vector2d shear_;  ///< G A_y, G A_z
  double eta_;
  bool coupled_;
  Eigen::Matrix4d N_ = Eigen::Matrix4d::Zero();     ///< kg
  Eigen::Vector4d mean_ = Eigen::Vector4d::Zero();  ///< kg
  Vector3d t_1_ = Vector3d::UnitX();  ///< direction of the line at the first node, its axes
  Vector3d t_2_ = Vector3d::UnitX();
  Matrix3d A_1_;  ///< section in the axes of the first node
  Matrix3d A_2_;
  Vector3d gamma_0_ = Vector3d::Zero();
  Vector3d theta_0_ = Vector3d::Zero();
};

}  // namespace

std::shared_ptr<const BlockElement<Spatial>> reissner_beam(const BeamSection& section,
                                                           const ReissnerPlace& place,
                                                           const ReissnerOptions& options) {
  return std::make_shared<ReissnerBeam>(section, place, options);
}

}  // namespace trammel::model
