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

}  // namespace trammel::constraint_handling
