// What a figure is drawn on: a picture of lines (SVG) or of pixels (PNG).
// Lengths are in picture units, x to the right and y downwards.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace trammel::results::plotting {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Rectangle {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

inline constexpr Color text_color{0x33, 0x33, 0x33};

struct Stroke {
  Color color;
  double width = 1.0;
  std::vector<double> dashes;  ///< lengths of strokes and gaps in turn; empty: unbroken
};

/// Which point of a text its position means, along the text.
enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12.0;
  Color color;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upwards = false;  ///< reads from bottom to top
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void fill(const Rectangle& area, Color color) = 0;
  virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;
  virtual void dot(Point center, double radius, Color color) = 0;
  /// The position lies on the baseline of the text (UTF-8).
  virtual void text(Point position, std::string_view text, const TextStyle& style) = 0;
  /// Until end_clip(), only what lies in the area is drawn.
  virtual void begin_clip(const Rectangle& area) = 0;
  virtual void end_clip() = 0;
};

}  // namespace trammel::results::plotting
