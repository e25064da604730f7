// Colours as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::io {

/// "#rrggbb" of "#4c7fb0", "#48b" or a name; empty when it is none of them.
std::string color_from(std::string_view text);

/// The names that are known.
std::vector<std::string> color_names();

}  // namespace trammel::io
