// The content of a text file.
#pragma once

#include <string>

namespace trammel::io {

/// Throws core::InputError when the file is missing (with the nearest name in its folder), is a
/// folder, cannot be read, or is larger than a model file may be.
std::string read_text_file(const std::string& path);

}  // namespace trammel::io
