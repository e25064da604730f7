// Tells contents apart.
#pragma once

#include <string>
#include <string_view>

namespace trammel::core {

/// 16 hexadecimal digits of a text (FNV-1a, 64 bits). Against accidents, not against intent.
std::string content_hash(std::string_view text);

}  // namespace trammel::core
