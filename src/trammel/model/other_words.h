// What others call the kinds of this house: a pin is a revolute joint, a hinge is one, too.
//
// Messages, `trammel list`, the search of reports and the pages of the kinds take the words from
// here, so that somebody who comes with another program's word finds what it means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::model {

/// Other words for a kind of joint, force, ...; empty for most.
std::vector<std::string> other_words(std::string_view kind);

/// The kind among `known` that a word means, or empty. Capitals, blanks and hyphens do not matter.
std::string meaning(std::string_view word, const std::vector<std::string>& known);

/// What to try instead of a type that does not exist: the kind of that other word, else where such
/// things are written, else as core::suggestion.
std::string kind_suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace trammel::model
