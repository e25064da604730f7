// The natural size of each constraint row, so that residuals can be judged whatever the units of
// the model: lengths against lengths, angles against angles.
//
//     c_i = max_j |G_ij| d_j
// with the typical displacements d (model sizes, radians): what the row changes by when bodies move
// by about the size of the model. A row that nothing moves gets the largest of all.
#pragma once

#include "trammel/system/kkt_matrix.h"

namespace trammel::constraint_handling {

/// `matrix` holds G; one entry per multiplier.
void row_sizes(const system::KktMatrix& matrix,
               const system::Vector& displacement_scale,
               system::Vector& result);

/// What round-off leaves of each row, sum_j |G_ij| e_j, with the round-off e of positions
/// (system/position_measure.h).
void row_round_off(const system::KktMatrix& matrix,
                   const system::Vector& position_round_off,
                   system::Vector& result);

/// Rows are sums and differences of several such numbers: no row has to be closer to zero than this
/// many times its round-off.
constexpr double round_off_margin = 8.0;

}  // namespace trammel::constraint_handling
