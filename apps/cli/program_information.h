// What this program is made of.
#pragma once

#include "report_text.h"

namespace trammel::cli {

/// Version, compiler, options and libraries.
Report program_report();

/// Of the program's own file, so that another build is told from this one; empty where it cannot be
/// read.
std::string program_hash();

}  // namespace trammel::cli
