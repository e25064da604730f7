// Texts of others on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace trammel::core {

/// The text with everything escaped that a terminal would obey instead of showing it: control
/// characters ("\x1b"), those that turn the direction of writing or end a line ("\u202e"), and
/// bytes that are no UTF-8 ("\xff"). Line breaks are among them: what others wrote never begins a
/// line of ours.
std::string printable(std::string_view text);

}  // namespace trammel::core
