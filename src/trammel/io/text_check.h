// Is this text at all, and small and flat enough to be handed to a YAML parser?
//
// Everything that could make a parser crash or crawl is refused here, before it starts: binary
// data, huge files and brackets nested without end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trammel/core/diagnostic.h"

namespace trammel::io {

/// 256 MB, enough for some 500 000 bodies.
constexpr std::size_t largest_text = std::size_t{256} << 20U;

/// Drops a byte order mark and turns CR LF and CR into LF, so that offsets and lines agree.
std::string normalised_lines(std::string text);

/// The first reason (with line and column) why the text cannot be a model file: too large, a NUL or
/// other control byte, invalid UTF-8, or more than a thousand open brackets in one line.
std::optional<core::Diagnostic> check_text(std::string_view text);

}  // namespace trammel::io
