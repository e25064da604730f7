// Which coordinates are independent [Haug1997, eqs. 7 and 8].
//
// G = [Phi_u Phi_v], the Jacobian of the constraints, with det Phi_u != 0: then the velocities u'
// of the dependent coordinates follow from those v' of the independent ones, and locally u from v.
//
//     lu    Gauss elimination with full pivoting: the columns that receive pivots are u
//     qr    Householder's factors with column pivoting: the first columns are u
//     svd   no columns but the tangent plane, v = P x: the rows of P D are orthonormal and span the
//           null space of G D
//     null-space   the same plane, by Householder's factors of (G D)^T: another basis, less work
//
// Displacements are measured in units of their scales D and rows in units of their length, so that
// the choice depends on no units; `scaled: false` takes the numbers as they are, as published.
//
// Holonomic rows come first: position rows must be solvable for as many of the dependent
// coordinates u_h. Nonholonomic rows then take coordinates K out of the rest, whose velocities
// depend on the others and whose positions do not. Rows whose best pivot is below 1e-10 of the
// first one follow from the other rows; they are left out and named.
//
// Matrices with many entries are eliminated as sparse ones: the row with the fewest entries, and
// the largest entry in it.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "trammel/system/mechanical_system.h"

namespace trammel::constraint_handling {

enum class PartitionMethod { lu, qr, svd, null_space };

/// Whether a method takes the tangent plane and no selection of coordinates.
constexpr bool takes_plane(PartitionMethod method) {
  return method == PartitionMethod::svd || method == PartitionMethod::null_space;
}

struct CoordinatePartition {
  std::vector<int> rows;         ///< that hold and are independent, ascending
  std::vector<int> redundant;    ///< that follow from these
  std::vector<int> dependent;    ///< components of v; empty for a plane
  std::vector<int> independent;  ///< components of v, ascending; those of K last
  int carried = 0;               ///< how many of `independent` are in K
  Eigen::MatrixXd P;             ///< of a plane, one row per freedom; else empty
  double weakest_pivot = 1.0;    ///< over the largest one

  bool selects() const { return P.size() == 0; }
  /// Independent velocities.
  int freedoms() const {
    return selects() ? static_cast<int>(independent.size()) - carried : static_cast<int>(P.rows());
  }
};

struct PartitionOptions {
  PartitionMethod method = PartitionMethod::lu;
  bool scaled = true;
  /// Coordinates that have to be independent; empty: by the method.
  std::vector<int> wanted;
};

/// Of the constraint rows in a matrix of the system; open rows (system/open_row.h) do not count.
/// With coordinates that are wanted, `rows` is shorter than the number of dependent coordinates or
/// `weakest_pivot` next to nothing where they cannot be independent.
CoordinatePartition partition_coordinates(const system::MechanicalSystem& system,
                                          const system::KktMatrix& matrix,
                                          const PartitionOptions& options);

}  // namespace trammel::constraint_handling
