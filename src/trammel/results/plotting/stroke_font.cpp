#include "trammel/results/plotting/stroke_font.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

namespace trammel::results::plotting {
namespace {

// A stroke is a chain of points "x,y" and arcs "@cx,cy,rx,ry,from,to" (ellipse, angles in degrees,
// counterclockwise when growing); a semicolon lifts the pen. Capitals are 70 high, small letters
// 50, descenders go down to -20; 100 is the font size.
struct Drawing {
  char32_t character;
  double advance;
  const char* path;
};

constexpr Drawing drawings[] = {
    {U' ', 27, ""},
    {U'!', 24, "12,70 12,22;12,2 12,0"},
    {U'"', 33, "9,70 9,52;24,70 24,52"},
    {U'#', 55, "21,70 13,0;42,70 34,0;6,46 51,46;4,24 49,24"},
    {U'$', 56, "@27,52,17,18,35,260 @28,18,19,18,80,-150;27,80 27,-10"},
    {U'%', 78, "@17,54,11,16,0,360;@61,16,11,16,0,360;57,70 21,0"},
    {U'&', 60, "54,0 17,46 @26,55,12,15,217,-45 @25,18,17,19,115,325 51,36"},
    {U'\'', 18, "9,70 9,52"},
    {U'(', 28, "@40,29,30,58,130,230"},
    {U')', 28, "@-12,29,30,58,50,-50"},
    {U'*', 40, "20,70 20,44;9,64 31,50;31,64 9,50"},
    {U'+', 58, "29,54 29,10;7,32 51,32"},
    {U',', 25, "13,2 13,-1 9,-12"},
    {U'-', 33, "5,27 28,27"},
    {U'.', 25, "12,2 12,0"},
    {U'/', 29, "3,-6 26,76"},
    {U'0', 55, "@27.5,35,19.5,36,90,450"},
    {U'1', 55, "13,57 30,70 30,0"},
    {U'2', 55, "@27,51,18,20,168,-38 9,0 47,0"},
    {U'3', 55, "@26,53,16.5,17.5,150,-90;@26,18,19.5,18.5,90,-152"},
    {U'4', 55, "38,0 38,70 6,18 49,18"},
    {U'5', 55, "44,70 16,70 13,38 @27,23,19.5,23.5,128,-145"},
    {U'6', 55, "@28,22,19,22.5,90,450;@46,22,37,47,97,180"},
    {U'7', 55, "8,70 47,70 22,0"},
    {U'8', 55, "@27.5,53,15.5,17.5,0,360;@27.5,17.5,19.5,18,0,360"},
    {U'9', 55, "@27,48,19,22.5,90,450;@9,48,37,47,-83,0"},
    {U':', 25, "12,2 12,0;12,46 12,44"},
    {U';', 25, "13,2 13,-1 9,-12;13,46 13,44"},
    {U'<', 58, "49,54 9,32 49,10"},
    {U'=', 58, "7,42 51,42;7,22 51,22"},
    {U'>', 58, "9,54 49,32 9,10"},
    {U'?', 50, "@25,54,16.5,17,172,-55 25,30 25,20;25,2 25,0"},
    {U'@', 92, "@44,28,15,19,0,360;61,46 59,20 @67,20,8,10,180,290 @46,29,39,42,0,300"},
    {U'A', 60, "3,0 30,70 57,0;12.5,25 47.5,25"},
    {U'B', 59, "9,0 9,70 31,70 @31,53.5,16.5,16.5,90,-90 9,37;31,37 @32,18.5,19.5,18.5,90,-90 9,0"},
    {U'C', 62, "@34,35,27,36,43,317"},
    {U'D', 64, "9,0 9,70 29,70 @29,35,28,35,90,-90 9,0"},
    {U'E', 54, "48,70 9,70 9,0 49,0;9,37 44,37"},
    {U'F', 50, "46,70 9,70 9,0;9,36 42,36"},
    {U'G', 67, "@34,35,27,36,43,322 58,34 37,34"},
    {U'H', 63, "9,0 9,70;54,0 54,70;9,37 54,37"},
    {U'I', 23, "11.5,0 11.5,70"},
    {U'J', 47, "38,70 38,20 @22,19,16,20,0,-175"},
    {U'K', 58, "9,0 9,70;51,70 9,26;23,41 54,0"},
    {U'L', 48, "9,70 9,0 45,0"},
    {U'M', 74, "9,0 9,70 37,6 65,70 65,0"},
    {U'N', 63, "9,0 9,70 54,0 54,70"},
    {U'O', 70, "@35,35,28,36,90,450"},
    {U'P', 57, "9,0 9,70 32,70 @32,51,18,19,90,-90 9,32"},
    {U'Q', 70, "@35,35,28,36,90,450;42,16 62,-5"},
    {U'R', 60, "9,0 9,70 33,70 @33,52,17.5,18,90,-90 9,34;33,34 53,0"},
    {U'S', 57, "@28,52.5,18,18,35,258 @28.5,18.5,20,19,78,-155"},
    {U'T', 54, "3,70 51,70;27,70 27,0"},
    {U'U', 62, "9,70 9,24 @31,24,22,25,180,360 53,70"},
    {U'V', 58, "3,70 29,0 55,70"},
    {U'W', 84, "3,70 22,0 42,68 62,0 81,70"},
    {U'X', 56, "5,70 51,0;51,70 5,0"},
    {U'Y', 56, "3,70 28,33 53,70;28,33 28,0"},
    {U'Z', 55, "6,70 49,70 5,0 51,0"},
    {U'[', 28, "24,76 11,76 11,-14 24,-14"},
    {U'\\', 29, "3,76 26,-6"},
    {U']', 28, "4,76 17,76 17,-14 4,-14"},
    {U'^', 48, "8,40 24,70 40,40"},
    {U'_', 50, "0,-12 50,-12"},
    {U'`', 30, "8,74 18,60"},
    {U'a', 51,
     "@24.5,35,17,16,155,0 41.5,0;41.5,29 25,29 @23.5,14.5,16,14.5,90,270 @23.5,18,18,18,270,350"},
    {U'b', 55, "9,74 9,0;@28,25,19,25.5,0,360"},
    {U'c', 49, "@27,25,19.5,25.5,47,313"},
    {U'd', 55, "46,74 46,0;@27,25,19,25.5,0,360"},
    {U'e', 54, "8,26 47,26 @27.5,25,19.5,25.5,2,318"},
    {U'f', 30, "12,0 12,58 @26,58,14,16,180,80;2,49 27,49"},
    {U'g', 55, "46,50 46,-2 @27,-2,19,18.5,0,-152;@27,25,19,25.5,0,360"},
    {U'h', 54, "9,74 9,0;9,30 @27,30,18,20.5,180,0 45,0"},
    {U'i', 22, "11,50 11,0;11,68 11,70"},
    {U'j', 23, "12,50 12,-9 @1,-9,11,11.5,0,-75;12,68 12,70"},
    {U'k', 48, "9,74 9,0;42,50 9,18;21,30 45,0"},
    {U'l', 22, "11,74 11,0"},
    {U'm', 80, "9,50 9,0;9,33 @24.5,33,15.5,17.5,180,0 40,0;40,33 @55.5,33,15.5,17.5,180,0 71,0"},
    {U'n', 54, "9,50 9,0;9,30 @27,30,18,20.5,180,0 45,0"},
    {U'o', 54, "@27,25,19.5,25.5,0,360"},
    {U'p', 55, "9,50 9,-20;@28,25,19,25.5,0,360"},
    {U'q', 55, "46,50 46,-20;@27,25,19,25.5,0,360"},
    {U'r', 33, "9,50 9,0;9,28 @27,28,18,22,180,80"},
    {U's', 48, "@24,37.5,15,13,30,262 @24.5,13,16.5,13.5,80,-158"},
    {U't', 32, "13,66 13,14 @26,14,13,14.5,180,285;2,49 28,49"},
    {U'u', 54, "9,50 9,20 @27,20,18,20.5,180,360;45,50 45,0"},
    {U'v', 48, "4,50 24,0 44,50"},
    {U'w', 70, "4,50 19,0 35,48 51,0 66,50"},
    {U'x', 48, "5,50 43,0;43,50 5,0"},
    {U'y', 48, "4,50 25,1;45,50 23,-9 @11,-6,13,14,-20,-115"},
    {U'z', 46, "6,50 40,50 5,0 42,0"},
    {U'{', 30, "25,76 18,74 15,68 15,40 12,33 6,31 12,29 15,22 15,-6 18,-12 25,-14"},
    {U'|', 24, "12,76 12,-16"},
    {U'}', 30, "5,76 12,74 15,68 15,40 18,33 24,31 18,29 15,22 15,-6 12,-12 5,-14"},
    {U'~', 58, "@18,30,11,9,180,0 @40,30,11,9,180,360"},
    {U'\u00B0', 36, "@18,58,10,11,0,360"},
    {U'\u00B7', 25, "12,31 12,29"},
    {U'\u00D7', 58, "13,48 45,16;45,48 13,16"},
    {U'\u0394', 60, "4,0 30,70 56,0 4,0"},
    {U'\u03B1', 58, "51,50 42,15 @25,25,18,25.5,-40,-320 45,10 52,0"},
    {U'\u03B8', 54, "@27,36,18.5,36.5,0,360;9,36 45,36"},
    {U'\u03BB', 50, "6,74 12,72 45,0;25,42 5,0"},
    {U'\u03BC', 56, "10,50 10,-20;10,20 @28,20,18,20.5,180,360;46,50 46,0"},
    {U'\u03C0', 58, "4,49 54,49;18,49 15,0;41,49 41,8 44,0"},
    {U'\u03C6', 60, "30,66 30,-20;@30,25,22,25,0,360"},
    {U'\u03C9', 70, "18,50 @20,20,12,20.5,150,360 32,30;32,20 @46,20,14,20.5,180,380 52,50"},
    {U'\u2026', 78, "12,2 12,0;39,2 39,0;66,2 66,0"},
    {U'\u2212', 58, "8,32 50,32"},
    {U'\uFFFD', 50, "9,0 9,70 41,70 41,0 9,0"},
};

constexpr double letter_spacing = 0.025;

void add_arc(std::vector<Point>& stroke, const double (&p)[6]) {
  const int pieces = std::max(2, static_cast<int>(std::abs(p[5] - p[4]) / 12.0));
  for (int k = 0; k <= pieces; ++k) {
    const double angle = (p[4] + (p[5] - p[4]) * k / pieces) * std::numbers::pi / 180.0;
    stroke.push_back(
        {(p[0] + p[2] * std::cos(angle)) / 100.0, (p[1] + p[3] * std::sin(angle)) / 100.0});
  }
}

/// Reads one point or arc, adds it to the stroke and moves on.
void add_next(std::vector<Point>& stroke, const char*& path) {
  const bool arc = *path == '@';
  if (arc) ++path;
  double numbers[6] = {};
  for (int k = 0; k < (arc ? 6 : 2); ++k) {
    char* end = nullptr;
    numbers[k] = std::strtod(path, &end);
    path = *end == ',' ? end + 1 : end;
  }
  if (arc) {
    add_arc(stroke, numbers);
  } else {
    stroke.push_back({numbers[0] / 100.0, numbers[1] / 100.0});
  }
}

std::vector<std::vector<Point>> parse(const char* path) {
  std::vector<std::vector<Point>> strokes;
  bool lifted = true;
  while (*path != '\0') {
    if (*path == ' ' || *path == ';') {
      lifted = lifted || *path == ';';
      ++path;
      continue;
    }
    if (lifted) strokes.emplace_back();
    lifted = false;
    add_next(strokes.back(), path);
  }
  return strokes;
}

/// How many bytes follow this first byte of a character; -1 if it is none.
int following_bytes(unsigned char byte) {
  if (byte < 0x80U) return 0;
  if (byte >> 5U == 6U) return 1;
  if (byte >> 4U == 14U) return 2;
  return byte >> 3U == 30U ? 3 : -1;
}

/// The character that a superscript is a small, raised form of; 0 if it is none.
char32_t base_of_superscript(char32_t character) {
  constexpr std::u32string_view superscripts =
      U"\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079\u207B";
  constexpr std::u32string_view bases = U"0123456789\u2212";
  const std::size_t place = superscripts.find(character);
  return place == std::u32string_view::npos ? 0 : bases[place];
}

}  // namespace

Glyph glyph(char32_t character) {
  if (const char32_t base = base_of_superscript(character)) {
    constexpr double scale = 0.66;
    constexpr double lift = 0.32;
    Glyph small = glyph(base);
    small.advance *= scale;
    for (std::vector<Point>& stroke : small.strokes) {
      for (Point& point : stroke) point = {point.x * scale, point.y * scale + lift};
    }
    return small;
  }
  const auto found = std::find_if(std::begin(drawings), std::end(drawings),
                                  [&](const Drawing& d) { return d.character == character; });
  if (found == std::end(drawings)) return glyph(U'\uFFFD');
  return {found->advance / 100.0 + letter_spacing, parse(found->path)};
}

std::u32string decode_utf8(std::string_view text) {
  constexpr char32_t replacement = U'\uFFFD';
  std::u32string characters;
  std::size_t i = 0;
  const auto continues = [&] {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i++]);
    int left = following_bytes(byte);
    char32_t code = left <= 0 ? byte : byte & (0x3FU >> static_cast<unsigned>(left));
    for (; left > 0 && continues(); --left) {
      code = code << 6U | (static_cast<unsigned char>(text[i++]) & 0x3FU);
    }
    characters += left == 0 ? code : replacement;
  }
  return characters;
}

double text_width(std::string_view text, double size) {
  double width = 0.0;
  for (const char32_t character : decode_utf8(text)) width += glyph(character).advance;
  return width * size;
}

}  // namespace trammel::results::plotting
