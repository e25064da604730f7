// The canonical layout of a model file.
//
// Two blanks per level, one blank after ':' and ',', no blanks inside brackets or at line ends, at
// most one empty line in a row, trailing comments aligned within a group. Lists and maps in
// brackets stay so while they fit into 100 columns, and become indented blocks otherwise. Nothing
// else changes: names and their order, numbers, units, expressions, quotes, anchors and comments
// stay as they were typed.
#pragma once

#include <string>

namespace trammel::io {

/// The text in canonical layout; formatting it again changes nothing. The result is read and laid
/// out again and compared before it is returned. Throws core::InputError when the text is not
/// YAML, has duplicate keys, or cannot be laid out without loss.
std::string format_model(const std::string& text, const std::string& name = "model");

}  // namespace trammel::io
