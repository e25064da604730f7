// The content of a file.
#pragma once

#include <cstddef>
#include <string>

namespace trammel::io {

/// Throws core::InputError when the file is missing (with the nearest name in its folder), is a
/// folder, cannot be read, or has more bytes than allowed. A pipe of the shell is read to its end;
/// pipes that have a name, sockets and devices are refused, and never waited for.
std::string read_file(const std::string& path, std::size_t most_bytes);

/// The same for regular files only.
std::string read_regular_file(const std::string& path, std::size_t most_bytes);

/// A file, or a pipe, that may be as large as a model file.
std::string read_text_file(const std::string& path);

}  // namespace trammel::io
