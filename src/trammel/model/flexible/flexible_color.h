// Colours of bodies that bend and have none of their own.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace trammel::model {

/// One for all of a body, whose nodes would be coloured one by one.
inline std::string flexible_color(std::size_t number) {
  constexpr std::array colors{"#5ea5a8", "#d9a54a", "#8f86b5", "#c97b6b", "#6f93b8", "#7fab86"};
  return colors.at(number % colors.size());
}

}  // namespace trammel::model
