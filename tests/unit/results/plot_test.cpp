#include "trammel/results/plot.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "scratch.h"
#include <gtest/gtest.h>
#include <zlib.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results {
namespace {

using namespace testing;

Table circle(std::size_t rows) {
  Table table;
  table.info.model_name = "circle <&> more";
  table.channels = {{"tip.position.x", "m", "world", ""},
                    {"tip.position.y", "m", "world", ""},
                    {"tip.acceleration.x", "m/s^2", "world", ""}};
  table.columns.resize(3);
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 6.3 * static_cast<double>(k) / static_cast<double>(rows);
    table.time.push_back(t);
    table.columns[0].push_back(std::cos(t));
    table.columns[1].push_back(std::sin(t));
    table.columns[2].push_back(-std::cos(t));
  }
  return table;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Panels, AreOnePerUnitWithTheNameTheyShare) {
  const std::vector<Panel> panels = panels_of(circle(10), {"tip.acceleration.x", "tip.position.*"});
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].y_label, "tip.acceleration.x [m/s\u00B2]");
  EXPECT_EQ(panels[1].y_label, "tip.position [m]");
  ASSERT_EQ(panels[1].series.size(), 2U);
  EXPECT_EQ(panels[1].series[1].label, "tip.position.y");
}

TEST(Panels, CanStandOverAnotherChannel) {
  const Table table = circle(10);
  const std::vector<Panel> panels = panels_of(table, {"tip.position.y"}, "tip.position.x");
  EXPECT_EQ(panels[0].series[0].x, table.columns[0]);
  EXPECT_EQ(axis_label(table, "tip.position.x"), "tip.position.x [m]");
  EXPECT_EQ(axis_label(table, "time"), "time [s]");
  EXPECT_THROW(panels_of(table, {"tip.position.z"}), core::InputError);
  EXPECT_THROW(panels_of(table, {"*"}, "tip.position.z"), core::InputError);
}

TEST(SvgPlot, ShowsLinesLabelsAndLegend) {
  const Table table = circle(100);
  const std::string svg = svg_plot(panels_of(table, {"tip.position.*"}),
                                   {.title = table.info.model_name, .x_label = "time [s]"});
  EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("circle &lt;&amp;&gt; more"), std::string::npos);
  EXPECT_NE(svg.find(">time [s]<"), std::string::npos);
  EXPECT_NE(svg.find(">tip.position [m]<"), std::string::npos);
  EXPECT_EQ(occurrences(svg, ">tip.position.x<"), 1U);
  EXPECT_EQ(occurrences(svg, "stroke=\"#0072b2\""), 2U);  // the line and its sample
  EXPECT_NE(svg.find("width=\"900\" height=\"500\""), std::string::npos);
}

TEST(SvgPlot, StaysSmallForManySamples) {
  // Four points for each of 1800 half units, about 12 bytes each.
  EXPECT_LT(svg_plot(panels_of(circle(1000000), {"tip.position.x"})).size(), 120000U);
}

TEST(SvgPlot, IsReadByOthers) {
  if (std::system("command -v rsvg-convert > /dev/null") != 0) {
    GTEST_SKIP() << "rsvg-convert is not installed";
  }
  const ScratchFolder folder;
  write_plot(folder / "a.svg", circle(50), {"*"});
  const std::string command =
      "rsvg-convert " + (folder / "a.svg").string() + " -o " + (folder / "a.png").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k)
    number = number << 8U | static_cast<unsigned char>(bytes[at + k]);
  return number;
}

/// Reads a PNG as the standard says, checking each block; gives the pixels (filters 0 and 2 only).
std::vector<unsigned char> decode(const std::string& png,
                                  std::uint32_t& width,
                                  std::uint32_t& height) {
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::uint32_t length = big_endian(png, at);
    const std::string kind = png.substr(at + 4, 4);
    const uLong check = crc32(0, reinterpret_cast<const Bytef*>(&png[at + 4]), length + 4);
    EXPECT_EQ(big_endian(png, at + 8 + length), check) << kind;
    if (kind == "IHDR") {
      width = big_endian(png, at + 8);
      height = big_endian(png, at + 12);
    }
    if (kind == "IDAT") packed += png.substr(at + 8, length);
    at += 12 + length;
  }
  const std::size_t row = 3 * width;
  std::vector<unsigned char> rows((row + 1) * height);
  uLongf size = rows.size();
  EXPECT_EQ(
      uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  EXPECT_EQ(size, rows.size());
  std::vector<unsigned char> pixels(row * height);
  for (std::size_t y = 0; y < height; ++y) {
    EXPECT_EQ(rows[y * (row + 1)], 2);
    for (std::size_t k = 0; k < row; ++k) {
      const unsigned above = y > 0 ? pixels[(y - 1) * row + k] : 0U;
      pixels[y * row + k] = static_cast<unsigned char>(above + rows[y * (row + 1) + 1 + k]);
    }
  }
  return pixels;
}

TEST(PngPlot, IsAPictureWithTheColoursOfTheLines) {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  const std::vector<unsigned char> pixels =
      decode(png_plot(panels_of(circle(200), {"tip.position.*"})), width, height);
  EXPECT_EQ(width, 1800U);
  EXPECT_EQ(height, 1000U);
  std::size_t blue = 0;
  std::size_t orange = 0;
  for (std::size_t k = 0; k + 2 < pixels.size(); k += 3) {
    blue += pixels[k] == 0x00 && pixels[k + 1] == 0x72 && pixels[k + 2] == 0xB2 ? 1 : 0;
    orange += pixels[k] == 0xD5 && pixels[k + 1] == 0x5E && pixels[k + 2] == 0x00 ? 1 : 0;
  }
  // A line across 1600 pixels, at least 2 of its 3.6 pixels in full colour.
  EXPECT_GT(blue, 3200U);
  EXPECT_GT(orange, 3200U);
  EXPECT_EQ(pixels[0], 255);
}

TEST(WritePlot, ChoosesByTheEndingAndProtectsFiles) {
  const ScratchFolder folder;
  const Table table = circle(20);
  write_plot(folder / "a.svg", table, {"*"});
  write_plot(folder / "a.png", table, {"tip.position.y"}, "tip.position.x", {.pixel_ratio = 1.0});
  EXPECT_EQ(contents_of(folder / "a.svg").rfind("<svg", 0), 0U);
  EXPECT_EQ(contents_of(folder / "a.png").substr(1, 3), "PNG");
  EXPECT_THROW(write_plot(folder / "a.svg", table, {"*"}), core::InputError);
  write_plot(folder / "a.svg", table, {"*"}, "time", {.overwrite = true});
  const std::string message =
      message_of<core::InputError>([&] { write_plot(folder / "a.pdf", table, {"*"}); });
  EXPECT_NE(message.find(".svg or .png"), std::string::npos) << message;
}

TEST(WritePlot, DrawsAPathWithEqualAxes) {
  // On equal axes a circle is as wide as it is high: compare the extremes of its line in the SVG.
  const ScratchFolder folder;
  write_plot(folder / "a.svg", circle(500), {"tip.position.y"}, "tip.position.x");
  const std::string svg = contents_of(folder / "a.svg");
  const std::size_t color = svg.find("#0072b2");
  const std::size_t begin = svg.rfind("points=\"", color) + 8;
  double low_x = 1e9;
  double high_x = -1e9;
  double low_y = 1e9;
  double high_y = -1e9;
  const char* at = svg.c_str() + begin;
  while (*at != '"') {
    char* end = nullptr;
    const double x = std::strtod(at, &end);
    const double y = std::strtod(end + 1, &end);
    low_x = std::min(low_x, x);
    high_x = std::max(high_x, x);
    low_y = std::min(low_y, y);
    high_y = std::max(high_y, y);
    at = *end == ' ' ? end + 1 : end;
  }
  EXPECT_GT(high_x - low_x, 200.0);
  EXPECT_NEAR(high_x - low_x, high_y - low_y, 0.05);  // two decimals are written
}

TEST(Plot, SurvivesStrangeData) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> columns{{},
                                                 {nan, nan, nan},
                                                 {1.0},
                                                 {5.0, 5.0, 5.0},
                                                 {-1e308, 1e308, 0.0},
                                                 {infinity, -infinity, 1.0},
                                                 {1e-320, 0.0, 1e-320}};
  for (const std::vector<double>& column : columns) {
    std::vector<double> x;
    for (std::size_t i = 0; i < column.size(); ++i) x.push_back(static_cast<double>(i));
    const std::vector<Panel> panels{{"y", {{"a", x, column}, {"b", column, x}}}};
    EXPECT_NE(svg_plot(panels).find("</svg>"), std::string::npos);
    EXPECT_EQ(svg_plot(panels).find("nan"), std::string::npos);
    EXPECT_GT(png_plot(panels, {.pixel_ratio = 0.5}).size(), 100U);
  }
}

TEST(Plot, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(svg_plot(std::vector<Panel>{}), core::InputError);
  EXPECT_THROW(svg_plot(std::vector<Series>{}), core::InputError);
  const std::vector<Series> one{{"a", {0.0, 1.0}, {0.0, 1.0}}};
  EXPECT_THROW(svg_plot(one, {.width = 10}), core::InputError);
}

}  // namespace
}  // namespace trammel::results
