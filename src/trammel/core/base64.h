// Bytes as text of 64 harmless characters (RFC 4648, section 4, with padding).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::core {

std::string base64(std::span<const std::byte> bytes);

/// The inverse. Empty when the text holds other characters or stops within a group.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace trammel::core
