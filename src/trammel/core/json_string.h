// Text as JSON wants it.
#pragma once

#include <string>
#include <string_view>

namespace trammel::core {

/// The text in double quotes, with everything escaped that JSON does not allow. Bytes that are no
/// UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace trammel::core
