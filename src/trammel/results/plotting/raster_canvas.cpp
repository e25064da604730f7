#include "trammel/results/plotting/raster_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/results/plotting/stroke_font.h"

namespace trammel::results::plotting {
namespace {

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length_squared = dx * dx + dy * dy;
  const double along =
      length_squared > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length_squared : 0.0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

RasterCanvas::RasterCanvas(double width, double height, double scale)
    : width_(static_cast<int>(std::lround(width * scale))),
      height_(static_cast<int>(std::lround(height * scale))),
      scale_(scale),
      pixels_(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 255),
      coverage_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0.0F),
      clip_{0, 0, width_, height_},
      touched_{width_, height_, 0, 0} {}

RasterCanvas::Window RasterCanvas::window_of(const Rectangle& area) const {
  const auto pixel = [](double x, int most) {
    return static_cast<int>(std::lround(std::clamp(x, 0.0, static_cast<double>(most))));
  };
  return {pixel(area.left * scale_, width_), pixel(area.top * scale_, height_),
          pixel(area.right() * scale_, width_), pixel(area.bottom() * scale_, height_)};
}

void RasterCanvas::fill(const Rectangle& area, Color color) {
  const Window window = window_of(area);
  for (int y = window.top; y < window.bottom; ++y) {
    for (int x = window.left; x < window.right; ++x) {
      std::uint8_t* pixel =
          &pixels_[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                        static_cast<std::size_t>(x))];
      pixel[0] = color.red;
      pixel[1] = color.green;
      pixel[2] = color.blue;
    }
  }
}

void RasterCanvas::cover_segment(Point a, Point b, double half_width) {
  const double reach = half_width + 0.5;
  const auto first = [reach](double p, double q, int least) {
    return static_cast<int>(
        std::floor(std::max(std::min(p, q) - reach, static_cast<double>(least))));
  };
  const auto last = [reach](double p, double q, int most) {
    return static_cast<int>(std::ceil(std::min(std::max(p, q) + reach, static_cast<double>(most))));
  };
  const Window box{first(a.x, b.x, clip_.left), first(a.y, b.y, clip_.top),
                   last(a.x, b.x, clip_.right), last(a.y, b.y, clip_.bottom)};
  for (int y = box.top; y < box.bottom; ++y) {
    float* row = &coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_)];
    for (int x = box.left; x < box.right; ++x) {
      const double distance = distance_to_segment({x + 0.5, y + 0.5}, a, b);
      const auto covered = static_cast<float>(std::clamp(reach - distance, 0.0, 1.0));
      row[x] = std::max(row[x], covered);
    }
  }
  if (box.left >= box.right || box.top >= box.bottom) return;
  touched_ = {std::min(touched_.left, box.left), std::min(touched_.top, box.top),
              std::max(touched_.right, box.right), std::max(touched_.bottom, box.bottom)};
}

void RasterCanvas::blend(Color color) {
  const double target[3] = {static_cast<double>(color.red), static_cast<double>(color.green),
                            static_cast<double>(color.blue)};
  for (int y = touched_.top; y < touched_.bottom; ++y) {
    for (int x = touched_.left; x < touched_.right; ++x) {
      const std::size_t index = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                static_cast<std::size_t>(x);
      const auto covered = static_cast<double>(std::exchange(coverage_[index], 0.0F));
      if (covered == 0.0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        std::uint8_t& value = pixels_[3 * index + k];
        value = static_cast<std::uint8_t>(std::lround(value + covered * (target[k] - value)));
      }
    }
  }
  touched_ = {width_, height_, 0, 0};
}

void RasterCanvas::cover_dashed(std::span<const Point> points, const Stroke& stroke) {
  std::size_t dash = 0;
  double left = stroke.dashes[0] * scale_;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    Point a{points[i].x * scale_, points[i].y * scale_};
    const Point b{points[i + 1].x * scale_, points[i + 1].y * scale_};
    double length = std::hypot(b.x - a.x, b.y - a.y);
    while (length > 0.0) {
      const double step = std::min(left, length);
      const Point next{a.x + (b.x - a.x) * step / length, a.y + (b.y - a.y) * step / length};
      if (dash % 2 == 0) cover_segment(a, next, stroke.width * scale_ / 2.0);
      a = next;
      length -= step;
      left -= step;
      if (left <= 0.0) {
        dash = (dash + 1) % stroke.dashes.size();
        left = stroke.dashes[dash] * scale_;
      }
    }
  }
}

void RasterCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (stroke.dashes.empty()) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      cover_segment({points[i].x * scale_, points[i].y * scale_},
                    {points[i + 1].x * scale_, points[i + 1].y * scale_},
                    stroke.width * scale_ / 2.0);
    }
  } else {
    cover_dashed(points, stroke);
  }
  blend(stroke.color);
}

void RasterCanvas::dot(Point center, double radius, Color color) {
  const Point pixel{center.x * scale_, center.y * scale_};
  cover_segment(pixel, pixel, radius * scale_);
  blend(color);
}

void RasterCanvas::text(Point position, std::string_view text, const TextStyle& style) {
  const double width = text_width(text, style.size);
  double along = style.anchor == Anchor::start    ? 0.0
                 : style.anchor == Anchor::middle ? -width / 2.0
                                                  : -width;
  const double half_width = style.size * scale_ * (style.bold ? 0.062 : 0.043);
  const auto place = [&](Point p) -> Point {
    const double u = along + p.x * style.size;
    const double v = p.y * style.size;
    return style.upwards ? Point{(position.x - v) * scale_, (position.y - u) * scale_}
                         : Point{(position.x + u) * scale_, (position.y - v) * scale_};
  };
  for (const char32_t character : decode_utf8(text)) {
    const Glyph shape = glyph(character);
    for (const std::vector<Point>& stroke : shape.strokes) {
      for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
        cover_segment(place(stroke[i]), place(stroke[i + 1]), half_width);
      }
    }
    along += shape.advance * style.size;
  }
  blend(style.color);
}

void RasterCanvas::begin_clip(const Rectangle& area) {
  clip_ = window_of(area);
}

void RasterCanvas::end_clip() {
  clip_ = {0, 0, width_, height_};
}

}  // namespace trammel::results::plotting
