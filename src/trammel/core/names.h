// Names people type: the nearest known one, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::core {

/// Edit distance with transpositions (optimal string alignment): "revoulte" is 1 away from
/// "revolute".
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to `name`, or empty when none is near enough to be meant.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// `did you mean 'X'?` when a near name exists, else `known: a, b, c` (at most a dozen).
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace trammel::core
