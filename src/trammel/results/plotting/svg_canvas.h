// Writes a figure as SVG text.
#pragma once

#include <string>

#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height);

  void fill(const Rectangle& area, Color color) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void dot(Point center, double radius, Color color) override;
  void text(Point position, std::string_view text, const TextStyle& style) override;
  void begin_clip(const Rectangle& area) override;
  void end_clip() override;

  /// The whole picture.
  std::string picture() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
  int clip_count_ = 0;
};

}  // namespace trammel::results::plotting
