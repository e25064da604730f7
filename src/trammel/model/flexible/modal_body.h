// A body in a floating frame with shapes of small deformation, by its shape integrals
// [Shabana2020; Zwoelfer2021, "nodal-based floating frame of reference formulation"].
//
// The frame has its origin at p_O and the axes R; eta are the amplitudes of n shapes. Nodes with
// place x_i move by Phi_i eta and turn by Psi_i eta in it. Their velocities in its axes, turns in
// those of the node as far as it is turned to first order, are
//
//     v_i = V + w x (x_i + Phi_i eta) + Phi_i eta',   V = R^T v_O
//     w_i = w + w x Psi_i eta + Psi_i eta'
//
// and T = u^T M u/2 with the mass matrix M of the structure and all velocities u of its nodes. With
// the fields on the nodes X_0 (turns of the undeformed body, three columns), X_k (turns of shape k:
// e x phi, e x psi) and the shapes Phi, everything that M is asked for are products of them, once:
//
//     m, c(eta) = c_0 + C eta               mass; first moment, C = shift^T M Phi
//     J(eta) = J_0 + sum of eta_k a_k + sum of eta_j eta_k b_jk/2
//              a_k = sym2(X_0^T M X_k),   b_jk = sym2(X_j^T M X_k),   sym2(A) = A + A^T
//     H(eta) = H_0 + sum of eta_k h_k       H_0 = X_0^T M Phi,   h_k's column j is
//                                           (X_k^T M phi_j - X_j^T M phi_k)/2
//     M_f = Phi^T M Phi
//
// With A = R^T (a_O - g) the equations in the frame's axes are
//
//     m A + w' x c + w x (w x c) + 2 w x C eta' + C eta''                          = force
//     c x A + J w' + J' w + w x (J w + H eta') + H eta''                           = moment
//     C^T A + H^T w' + M_f eta'' - 2 W eta' - w.J_k w/2 + K eta + D eta'           = load on shapes
//
// J_k = dJ/d(eta_k), W_jk = w . (h_j column k). They are those of Lagrange for this T, so that
// energy, momentum and angular momentum are kept. For masses at points, and solid elements whose
// mass is the same in all directions, T is exact for any eta; for nodes with turns it is so to
// first order in eta. The strain is linear: no stiffening by axial loads.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/modal_frame.h"

namespace trammel::model {

/// Symmetric 3 x 3 matrices as columns: xx, yy, zz, xy, xz, yz.
using SymmetricColumn = Eigen::Matrix<double, 6, 1>;

struct ShapeIntegrals {
  double m = 0.0;
  Eigen::Vector3d c_0 = Eigen::Vector3d::Zero();
  ShapeColumns C;
  Eigen::Matrix3d J_0 = Eigen::Matrix3d::Zero();
  Eigen::VectorXd a;  ///< a_k one below the other, each a SymmetricColumn
  Eigen::MatrixXd b;  ///< 6 n x n
  ShapeColumns H_0;
  std::array<Eigen::MatrixXd, 3> h;  ///< [axis](k, j), antisymmetric
  Eigen::MatrixXd M_f;
};

struct ModalBody {
  ShapeIntegrals integrals;
  Eigen::MatrixXd K;
  Eigen::MatrixXd D;
  /// Turns for each shape of the points that others attach to.
  std::vector<ShapeColumns> turns;
};

inline constexpr int most_shapes = 100;

/// Fields on the nodes of a structure, a row for each freedom.
struct NodeFields {
  Eigen::MatrixXd shift;         ///< of the whole along x, y, z
  Eigen::MatrixXd turn;          ///< X_0
  Eigen::MatrixXd shape;         ///< Phi
  Eigen::MatrixXd turned_shape;  ///< X_k, three columns for each shape
};

/// `times_mass` multiplies fields with the mass matrix.
template <class TimesMass>
ShapeIntegrals shape_integrals(const NodeFields& fields, const TimesMass& times_mass);

/// Stands on the floating frame and on one set of at most most_shapes amplitudes. Its channels are
/// `energy` and `section_turn`.
std::shared_ptr<const BlockElement<Spatial>> modal_body(ModalBody body);

// Implementation ----------------------------------------------------------------------------------

inline SymmetricColumn twice_symmetric(const Eigen::Matrix3d& A) {
  SymmetricColumn s;
  s << 2.0 * A(0, 0), 2.0 * A(1, 1), 2.0 * A(2, 2), A(0, 1) + A(1, 0), A(0, 2) + A(2, 0),
      A(1, 2) + A(2, 1);
  return s;
}

template <class TimesMass>
ShapeIntegrals shape_integrals(const NodeFields& fields, const TimesMass& times_mass) {
  const Eigen::Index n = fields.shape.cols();
  const Eigen::MatrixXd M_shift = times_mass(fields.shift);
  const Eigen::MatrixXd M_turn = times_mass(fields.turn);
  const Eigen::MatrixXd M_shape = times_mass(fields.shape);
  const Eigen::MatrixXd M_turned = times_mass(fields.turned_shape);
  ShapeIntegrals s;
  s.m = fields.shift.cwiseProduct(M_shift).sum() / 3.0;
  // shift^T M X_0 = -skew(c_0).
  const Eigen::Matrix3d moment = fields.shift.transpose() * M_turn;
  s.c_0 = 0.5 * Eigen::Vector3d(moment(1, 2) - moment(2, 1), moment(2, 0) - moment(0, 2),
                                moment(0, 1) - moment(1, 0));
  s.C = M_shift.transpose() * fields.shape;
  s.J_0 = fields.turn.transpose() * M_turn;
  s.H_0 = M_turn.transpose() * fields.shape;
  s.M_f = fields.shape.transpose() * M_shape;
  s.M_f = (0.5 * (s.M_f + s.M_f.transpose())).eval();
  const Eigen::MatrixXd first = M_turn.transpose() * fields.turned_shape;
  const Eigen::MatrixXd second = fields.turned_shape.transpose() * M_turned;
  const Eigen::MatrixXd Z = fields.turned_shape.transpose() * M_shape;
  s.a.resize(6 * n);
  s.b.resize(6 * n, n);
  for (Eigen::MatrixXd& axis : s.h) axis.resize(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    s.a.segment<6>(6 * k) = twice_symmetric(first.middleCols<3>(3 * k));
    for (Eigen::Index j = 0; j < n; ++j) {
      s.b.block<6, 1>(6 * k, j) = twice_symmetric(second.block<3, 3>(3 * k, 3 * j));
      for (int axis = 0; axis < 3; ++axis) {
        s.h[static_cast<std::size_t>(axis)](k, j) = 0.5 * (Z(3 * k + axis, j) - Z(3 * j + axis, k));
      }
    }
  }
  return s;
}

}  // namespace trammel::model
