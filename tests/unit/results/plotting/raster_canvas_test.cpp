#include "trammel/results/plotting/raster_canvas.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/results/plotting/stroke_font.h"

namespace trammel::results::plotting {
namespace {

constexpr Color black{0, 0, 0};

/// Ink on the picture, in pixels: what is missing from white.
double ink(const RasterCanvas& canvas) {
  double sum = 0.0;
  for (const std::uint8_t value : canvas.pixels()) sum += (255.0 - value) / 255.0;
  return sum / 3.0;
}

int red_at(const RasterCanvas& canvas, int x, int y) {
  return canvas.pixels()[3 * static_cast<std::size_t>(y * canvas.pixel_width() + x)];
}

TEST(RasterCanvas, DrawsALineAsWideAsAsked) {
  // Area of a line with round ends: length * width + pi width^2 / 4, whatever its direction. The
  // soft edge is a ramp with two kinks; summed over rows of pixels h apart, each kink errs by at
  // most h^2/12 (Euler-Maclaurin). Two edges, h = 0.71 along a diagonal: 0.17 per unit of length.
  for (const double width : {2.0, 5.0}) {
    for (const Point end : {Point{90.0, 20.0}, Point{70.0, 70.0}, Point{20.0, 85.0}}) {
      RasterCanvas canvas(100, 100, 1.0);
      const std::array<Point, 2> ends{{{20.0, 20.0}, end}};
      canvas.polyline(ends, {black, width, {}});
      const double length = std::hypot(end.x - 20.0, end.y - 20.0);
      EXPECT_NEAR(ink(canvas), length * width + 0.785 * width * width, 0.17 * length);
    }
  }
}

TEST(RasterCanvas, DoesNotDrawJointsTwice) {
  RasterCanvas whole(100, 30, 1.0);
  RasterCanvas pieces(100, 30, 1.0);
  const std::array<Point, 2> ends{{{10.0, 15.3}, {90.0, 15.3}}};
  const std::array<Point, 4> chain{{{10.0, 15.3}, {33.3, 15.3}, {50.1, 15.3}, {90.0, 15.3}}};
  whole.polyline(ends, {black, 2.5, {}});
  pieces.polyline(chain, {black, 2.5, {}});
  EXPECT_EQ(whole.pixels(), pieces.pixels());
}

TEST(RasterCanvas, DashesCoverTheirShare) {
  RasterCanvas canvas(240, 20, 1.0);
  const std::array<Point, 2> ends{{{20.0, 10.0}, {220.0, 10.0}}};
  canvas.polyline(ends, {black, 2.0, {10.0, 10.0}});
  // Half of 200 units, and a round cap (in all a disc of diameter 2) at each of ten dashes.
  EXPECT_NEAR(ink(canvas), 100.0 * 2.0 + 10 * 3.14, 6.0);
}

TEST(RasterCanvas, DrawsNothingOutsideOfTheClip) {
  RasterCanvas canvas(50, 50, 2.0);
  canvas.begin_clip({10.0, 10.0, 20.0, 20.0});
  const std::array<Point, 2> ends{{{-1e6, -1e6}, {1e6, 1e6}}};
  canvas.polyline(ends, {black, 4.0, {}});
  canvas.end_clip();
  EXPECT_EQ(red_at(canvas, 40, 40), 0);
  EXPECT_EQ(red_at(canvas, 19, 19), 255);
  EXPECT_EQ(red_at(canvas, 61, 61), 255);
}

TEST(StrokeFont, DrawsEveryPrintableCharacterAndABoxForOthers) {
  const std::size_t box_strokes = glyph(0x4E2D).strokes.size();
  EXPECT_EQ(box_strokes, 1U);
  for (char32_t c = U'!'; c <= U'~'; ++c) {
    const Glyph shape = glyph(c);
    EXPECT_FALSE(shape.strokes.empty()) << static_cast<int>(c);
    for (const std::vector<Point>& stroke : shape.strokes) {
      EXPECT_GE(stroke.size(), 2U);
      for (const Point& point : stroke) {
        EXPECT_GE(point.x, -0.05) << static_cast<char>(c);
        EXPECT_LE(point.x, shape.advance + 0.05) << static_cast<char>(c);
        EXPECT_GE(point.y, -0.25);
        EXPECT_LE(point.y, 0.95);
      }
    }
  }
}

TEST(StrokeFont, MeasuresText) {
  EXPECT_DOUBLE_EQ(text_width("ab", 10.0), 10.0 * (glyph(U'a').advance + glyph(U'b').advance));
  EXPECT_DOUBLE_EQ(text_width("\u00B2", 10.0), 10.0 * glyph(U'\u00B2').advance);
  EXPECT_EQ(decode_utf8("\xff\xc3"), U"\uFFFD\uFFFD");
}

}  // namespace
}  // namespace trammel::results::plotting
