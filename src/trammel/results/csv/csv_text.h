// One line of CSV and its fields (RFC 4180: commas, fields in quotes where needed). Line breaks
// inside of a field are written as \n and backslashes as \\, so that a record is always one line. A
// text that a spreadsheet would take for a formula (=1+1, @x, -x) begins with a backslash, "\=1+1".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::results::csv {

/// Appends a field to a line that is being made.
void append_field(std::string& line, std::string_view text);
/// Fields joined by commas.
std::string join(const std::vector<std::string>& fields);
std::vector<std::string> split(std::string_view line);

}  // namespace trammel::results::csv
