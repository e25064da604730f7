// The page of a comparison of methods: figures, tables, and how to make it again.
#pragma once

#include <string>

#include "trammel/analysis/comparison/compare.h"
#include "trammel/report/table_page.h"

namespace trammel::cli {

constexpr const char* comparison_generator = "trammel compare";

/// `command` is the one that makes the page again.
report::TablePage comparison_page(const std::string& model_name,
                                  const std::string& command,
                                  const analysis::comparison::Comparison& comparison);

/// Errors over time of the processor, as a picture (.png or .svg).
void write_work_precision(const std::string& path,
                          const std::string& model_name,
                          const analysis::comparison::Comparison& comparison,
                          bool overwrite);

}  // namespace trammel::cli
