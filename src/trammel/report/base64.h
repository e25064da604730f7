// Bytes as text of 64 harmless characters (RFC 4648, section 4, with padding).
#pragma once

#include <span>
#include <string>

namespace trammel::report {

std::string base64(std::span<const std::byte> bytes);

}  // namespace trammel::report
