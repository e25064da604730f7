// Numbers at a glance: least, largest, mean, rms and last value of channels, and when.
#pragma once

#include <string>
#include <vector>

#include "trammel/results/table.h"

namespace trammel::cli {

/// Adds NAME.magnitude after the components of every force and torque that the table has whole:
/// components alone do not tell how much a pin has to carry.
void add_magnitudes(results::Table& table);

/// One line for each channel of the table below a line of headings, in aligned columns; of a table
/// with one row its values.
std::vector<std::string> summary_lines(const results::Table& table);

/// The same for what people look at first, from a results file: channels that the model names
/// (`report: plots:`), else sensors and loads of drives, else joint coordinates; and how much the
/// joints carry. In the display units of the model. Empty for a
/// file without rows, and for one that would take long to read.
std::vector<std::string> glance_lines(const std::string& results);

/// Prints them under a heading; nothing when there are none.
void print_glance(const std::string& results);

}  // namespace trammel::cli
