// What this program is made of.
#pragma once

#include "report_text.h"

namespace trammel::cli {

/// Version, compiler, options and libraries.
Report program_report();

}  // namespace trammel::cli
