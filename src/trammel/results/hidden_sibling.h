// Hidden names beside a file or folder that is being made.
#pragma once

#include <filesystem>
#include <string>

namespace trammel::results {

/// ".NAME.part", or ".NAME.PID-N.part" with a `mark`. A long name is represented by its hash, as
/// names have at most 255 bytes.
std::filesystem::path hidden_sibling(const std::filesystem::path& path,
                                     const std::string& mark = {});

/// One that no other process and nothing else of this one has.
std::filesystem::path own_hidden_sibling(const std::filesystem::path& path);

}  // namespace trammel::results
