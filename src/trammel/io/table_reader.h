// Tables for formulas: points in the model file, or columns of a CSV file beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/expression/table.h"
#include "trammel/io/reader.h"

namespace trammel::io {

/// Reads the section `tables`. `folder` is where CSV files are looked for.
std::vector<std::shared_ptr<const expression::Table>> read_tables(Reader& reader,
                                                                  const Node& node,
                                                                  const Path& path,
                                                                  const std::string& folder);

}  // namespace trammel::io
