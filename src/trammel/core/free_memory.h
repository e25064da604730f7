// How much memory the machine has left, for models that may not fit into it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace trammel::core {

/// Bytes that programs can still get without others having to give theirs back; none where the
/// system does not tell.
std::optional<std::size_t> free_memory();

/// "870 MB", "2.1 GB"
std::string memory_text(double bytes);

}  // namespace trammel::core
