// Quick figures of results: channels over time or over each other, as SVG or PNG.
//
//   write_plot("crank.svg", panels_of(table, {"crank.position.*", "crank.angle"}),
//              {.title = "Slider crank"});
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trammel/results/table.h"

namespace trammel::results {

/// One line; numbers that are not finite leave a gap.
struct Series {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;
};

/// One pair of axes. Panels of a figure stand on top of each other and share the x axis.
struct Panel {
  std::string y_label;
  std::vector<Series> series;
};

struct PlotOptions {
  std::string title;
  std::string x_label;
  std::string y_label;       ///< for a figure of plain series
  int width = 900;           ///< picture units (1/96 inch)
  int height = 500;          ///< of a figure with one panel; each further one adds 60 %
  double pixel_ratio = 2.0;  ///< PNG: pixels per unit
  bool log_x = false;        ///< logarithmic axis; numbers that are not positive leave gaps
  bool log_y = false;
  bool markers = false;     ///< a dot at every point
  bool equal_axes = false;  ///< the same scale in both directions, for paths of points
  bool overwrite = false;
};

/// Panels for the channels that match: one per unit, in the order asked for, at most six; labels
/// with units. `x_channel` is "time" or any channel.
std::vector<Panel> panels_of(const Table& table,
                             const std::vector<std::string>& patterns,
                             const std::string& x_channel = "time");

/// "time [s]", "crank.position.x [m]": what to write along an axis.
std::string axis_label(const Table& table, const std::string& channel);

std::string svg_plot(const std::vector<Panel>& panels, const PlotOptions& options = {});
std::string svg_plot(const std::vector<Series>& series, const PlotOptions& options = {});
/// The bytes of a PNG file.
std::string png_plot(const std::vector<Panel>& panels, const PlotOptions& options = {});

/// Writes .svg or .png, by the ending of the path; InputError for any other ending, for an existing
/// file (unless options.overwrite), or when there is nothing to draw.
void write_plot(const std::filesystem::path& path,
                const std::vector<Panel>& panels,
                const PlotOptions& options = {});

/// The whole way: the matching channels over `x_channel`, labelled, into a file. A path of a point
/// (both directions in the same unit, not over time) is drawn with equal axes.
void write_plot(const std::filesystem::path& path,
                const Table& table,
                const std::vector<std::string>& patterns,
                const std::string& x_channel = "time",
                PlotOptions options = {});

}  // namespace trammel::results
