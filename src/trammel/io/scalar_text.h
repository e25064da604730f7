// How a scalar is written in YAML so that it is read back unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::io {

/// The text plain, or in double quotes when it was quoted or has more than one line.
std::string scalar_text(std::string_view text, bool quoted);

/// Text of several lines that can be written as a literal block ('|').
bool is_block_text(std::string_view text);
/// "|", "|-" or "|+", depending on the line ends at its end.
std::string block_header(std::string_view text);
/// The lines of the block, without indentation.
std::vector<std::string> block_lines(std::string_view text);

}  // namespace trammel::io
