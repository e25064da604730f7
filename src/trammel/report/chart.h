// Line charts for pages: SVG that takes its colours from the page (light or dark), with a text for
// every point, and lines that a script of the page can show, hide and bring to the front.
//
// What a line is like is said by three small numbers, so that a page with many lines needs only
// short keys: its colour (c0 ... c7), its dashes (d0 ... d2) and its markers (m0 ... m3).
#pragma once

#include <string>
#include <vector>

namespace trammel::report {

struct ChartLine {
  std::string label;
  int color = 0;    ///< 0 ... 7
  int dashes = 0;   ///< 0: unbroken, 1: dashed, 2: dotted
  int marker = -1;  ///< 0: circle, 1: square, 2: triangle, 3: diamond; -1: none
  std::vector<double> x;
  std::vector<double> y;               ///< numbers that are not finite leave a gap
  std::vector<std::string> texts{};    ///< of the points, shown by the browser; may be empty
  std::vector<std::string> classes{};  ///< for the page's own styles and scripts
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<ChartLine> lines;
  std::vector<ChartLine> guides{};  ///< thin grey lines with their label, e.g. a slope
  int width = 560;                  ///< units of the picture
  int height = 380;
};

/// An <svg> element. Values that a logarithmic axis cannot show (zero, negative) leave gaps.
std::string svg(const Chart& chart);

/// What such a line looks like, 46 x 14 units, for the key of a page.
std::string svg_sample(int color, int dashes, int marker);

/// The styles that charts need: colours of both themes as variables, line and text classes.
std::string chart_styles();

}  // namespace trammel::report
