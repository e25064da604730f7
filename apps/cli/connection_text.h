// What became of the connections of a model, and what its derivatives are worth, as tables of two
// columns.
#pragma once

#include <vector>

#include "report_text.h"

#include "trammel/model/connections/summary.h"
#include "trammel/model/derivative_check.h"

namespace trammel::cli {

/// Rows kept, redundant rows by name, internal nodes, freedoms; empty without connections.
Report connection_report(const std::vector<model::ConnectionSummary>& summaries);

/// One row for each wrong derivative, or one that says that all agree.
Report derivative_report(const std::vector<model::DerivativeMismatch>& mismatches);

}  // namespace trammel::cli
