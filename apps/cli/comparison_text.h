// A comparison of methods as text: the table on the terminal, and words shared with the page.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/comparison/compare.h"

namespace trammel::cli {

/// "1.2e-05", "-" when it is not known.
std::string error_text(double value);
/// "2.00", "-".
std::string order_text(double value);
/// "12 ms".
std::string short_time(double seconds);

/// The table, then what it was measured against and what was left out.
void print(const analysis::comparison::Comparison& comparison);

/// Sentences about the runs that stand out: the most accurate, the cheapest among the good ones.
std::vector<std::string> findings(const analysis::comparison::Comparison& comparison);

}  // namespace trammel::cli
