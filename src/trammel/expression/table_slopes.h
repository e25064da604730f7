// The slopes at the points of a table; table.h has the equations.
#pragma once

#include <vector>

#include "trammel/expression/table.h"

namespace trammel::expression {

/// One slope per point. The points are checked: at least 2, x increasing; a periodic table has
/// equal first and last values.
std::vector<double> table_slopes(const std::vector<double>& x,
                                 const std::vector<double>& y,
                                 const TableOptions& options);

}  // namespace trammel::expression
