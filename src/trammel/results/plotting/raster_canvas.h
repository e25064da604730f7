// Draws a figure in pixels, with soft edges.
//
// A line is the set of points nearer to it than half its width; a pixel at distance d from the axis
// of the line is covered by about clamp(w/2 + 1/2 - d, 0, 1). The coverage of all segments of a
// line is gathered first (their maximum), so that joints are round and not drawn twice.
#pragma once

#include <cstdint>
#include <vector>

#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

class RasterCanvas : public Canvas {
 public:
  /// `scale` pixels per unit of the picture; the background is white.
  RasterCanvas(double width, double height, double scale);

  void fill(const Rectangle& area, Color color) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void dot(Point center, double radius, Color color) override;
  void text(Point position, std::string_view text, const TextStyle& style) override;
  void begin_clip(const Rectangle& area) override;
  void end_clip() override;

  int pixel_width() const { return width_; }
  int pixel_height() const { return height_; }
  /// Red, green and blue of each pixel, row by row from the top.
  const std::vector<std::uint8_t>& pixels() const { return pixels_; }

 private:
  /// Pixels from the first to before the last.
  struct Window {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
  };

  void cover_segment(Point a, Point b, double half_width);
  void cover_dashed(std::span<const Point> points, const Stroke& stroke);
  void blend(Color color);
  Window window_of(const Rectangle& area) const;

  int width_;
  int height_;
  double scale_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> coverage_;
  Window clip_;
  Window touched_;
};

}  // namespace trammel::results::plotting
