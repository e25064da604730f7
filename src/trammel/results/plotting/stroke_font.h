// A small font of strokes, drawn for these figures: what a pixel picture writes with, and the
// measure of text for the layout of both kinds of picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

/// Strokes in units of the font size, baseline at y = 0, y upwards; capitals are 0.70 high.
struct Glyph {
  double advance = 0.0;
  std::vector<std::vector<Point>> strokes;
};

/// Printable ASCII, some mathematical signs and Greek letters; a box for anything else.
Glyph glyph(char32_t character);

/// Characters of a UTF-8 text; bytes that are not UTF-8 become U+FFFD.
std::u32string decode_utf8(std::string_view text);

/// Width of a text, in the units of `size`.
double text_width(std::string_view text, double size);

}  // namespace trammel::results::plotting
