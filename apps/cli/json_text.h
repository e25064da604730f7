// Text as JSON wants it.
#pragma once

#include <string>
#include <string_view>

namespace trammel::cli {

/// The text in double quotes, with everything escaped that JSON does not allow.
std::string json_string(std::string_view text);

}  // namespace trammel::cli
