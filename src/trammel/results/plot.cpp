#include "trammel/results/plot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/output_file.h"
#include "trammel/results/plotting/axis.h"
#include "trammel/results/plotting/figure.h"
#include "trammel/results/plotting/png.h"
#include "trammel/results/plotting/raster_canvas.h"
#include "trammel/results/plotting/svg_canvas.h"

namespace trammel::results {
namespace {

constexpr std::size_t most_panels = 6;

std::string with_unit(const std::string& text, const std::string& unit) {
  if (unit.empty()) return text;
  return fmt::format("{}{}[{}]", text, text.empty() ? "" : " ", plotting::with_superscripts(unit));
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
    parts.push_back(name.substr(begin, dot - begin));
    begin = dot + 1;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

/// The parts that all names share: "position" for crank.position.x and rod.position.y.
std::string common_name(const std::vector<Series>& series) {
  std::string common;
  for (const std::string& part : parts_of(series.front().label)) {
    const bool shared = std::all_of(series.begin(), series.end(), [&](const Series& other) {
      const std::vector<std::string> parts = parts_of(other.label);
      return std::find(parts.begin(), parts.end(), part) != parts.end();
    });
    if (shared) common += (common.empty() ? "" : ".") + part;
  }
  return common;
}

const std::string& unit_of(const Table& table, const std::string& channel) {
  static const std::string second = "s";
  if (channel == "time" && !table.contains(channel)) return second;
  return table.channels[table.find(channel)].unit;
}

void check_drawable(const std::vector<Panel>& panels, const PlotOptions& options) {
  core::Diagnostics mistakes;
  const bool nothing = std::all_of(panels.begin(), panels.end(),
                                   [](const Panel& panel) { return panel.series.empty(); });
  if (nothing) mistakes.error("plot", "there is nothing to draw", "name at least one channel");
  if (options.width < 200 || options.height < 150 || options.width > 20000 ||
      options.height > 20000) {
    mistakes.error(
        "plot", fmt::format("a picture of {} x {} cannot be drawn", options.width, options.height),
        "choose between 200 x 150 and 20000 x 20000");
  }
  if (!(options.pixel_ratio >= 0.25 && options.pixel_ratio <= 8.0)) {
    mistakes.error("plot", fmt::format("pixel ratio {} is out of range", options.pixel_ratio),
                   "choose between 0.25 and 8");
  }
  mistakes.throw_if_errors();
}

}  // namespace

std::string axis_label(const Table& table, const std::string& channel) {
  return with_unit(channel, unit_of(table, channel));
}

std::vector<Panel> panels_of(const Table& table,
                             const std::vector<std::string>& patterns,
                             const std::string& x_channel) {
  const std::span<const double> x = table.column(x_channel);
  std::vector<std::string> units;
  std::vector<Panel> panels;
  for (const std::size_t i : table.select(patterns)) {
    const std::string& unit = table.channels[i].unit;
    auto place =
        static_cast<std::size_t>(std::find(units.begin(), units.end(), unit) - units.begin());
    if (place == units.size()) {
      units.push_back(unit);
      panels.emplace_back();
    }
    const std::span<const double> y = table.column(i);
    panels[place].series.push_back(
        {table.channels[i].name, {x.begin(), x.end()}, {y.begin(), y.end()}});
  }
  if (panels.size() > most_panels) {
    throw core::InputError(
        fmt::format("the channels have {} different units, a figure has room for {}", panels.size(),
                    most_panels),
        "choose fewer channels");
  }
  for (std::size_t k = 0; k < panels.size(); ++k) {
    panels[k].y_label = with_unit(common_name(panels[k].series), units[k]);
  }
  return panels;
}

std::string svg_plot(const std::vector<Panel>& panels, const PlotOptions& options) {
  check_drawable(panels, options);
  plotting::SvgCanvas canvas(options.width, plotting::figure_height(panels.size(), options));
  plotting::draw_figure(canvas, panels, options);
  return canvas.picture();
}

std::string svg_plot(const std::vector<Series>& series, const PlotOptions& options) {
  return svg_plot(std::vector<Panel>{{options.y_label, series}}, options);
}

std::string png_plot(const std::vector<Panel>& panels, const PlotOptions& options) {
  check_drawable(panels, options);
  plotting::RasterCanvas canvas(options.width, plotting::figure_height(panels.size(), options),
                                options.pixel_ratio);
  plotting::draw_figure(canvas, panels, options);
  return plotting::encode_png(canvas.pixels(), canvas.pixel_width(), canvas.pixel_height(),
                              options.pixel_ratio);
}

void write_plot(const std::filesystem::path& path,
                const std::vector<Panel>& panels,
                const PlotOptions& options) {
  const std::string ending = path.extension().string();
  if (ending != ".svg" && ending != ".png") {
    throw core::InputError(
        fmt::format("a figure cannot be written as '{}'", path.filename().string()),
        "let the name end in .svg or .png");
  }
  const std::string picture =
      ending == ".svg" ? svg_plot(panels, options) : png_plot(panels, options);
  write_whole(path, picture_kind(path), picture, options.overwrite);
}

void write_plot(const std::filesystem::path& path,
                const Table& table,
                const std::vector<std::string>& patterns,
                const std::string& x_channel,
                PlotOptions options) {
  const std::vector<Panel> panels = panels_of(table, patterns, x_channel);
  if (options.x_label.empty()) options.x_label = axis_label(table, x_channel);
  if (options.title.empty()) options.title = table.info.model_name;
  if (x_channel != "time" && panels.size() == 1) {
    const std::string& unit = table.channels[table.select(patterns).front()].unit;
    options.equal_axes = options.equal_axes || unit == unit_of(table, x_channel);
  }
  write_plot(path, panels, options);
}

}  // namespace trammel::results
