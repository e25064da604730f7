// The results of a run, as Python holds them.
#pragma once

#include "trammel/report/pack.h"
#include "trammel/results/table.h"

namespace trammel::python {

/// Constant after its making, so that arrays may look into its columns.
struct ResultsHandle {
  results::Table table;
  report::RunNotes notes;  ///< for the report
};

}  // namespace trammel::python
