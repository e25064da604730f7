// The starter models of `trammel new`, compiled into the program from starters/*.yaml.
#pragma once

#include <string_view>
#include <vector>

namespace trammel::cli {

struct Starter {
  std::string_view name;
  std::string_view text;
};

/// In alphabetical order.
const std::vector<Starter>& starters();

/// The first sentence of its opening comment.
std::string_view summary(const Starter& starter);

}  // namespace trammel::cli
