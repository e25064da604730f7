#include "trammel/results/plotting/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/results/plotting/axis.h"
#include "trammel/results/plotting/decimate.h"
#include "trammel/results/plotting/legend.h"
#include "trammel/results/plotting/stroke_font.h"

namespace trammel::results::plotting {
namespace {

constexpr double label_size = 13.0;
constexpr double tick_size = 12.0;
constexpr double title_size = 16.0;
constexpr double tick_length = 5.0;
constexpr double right_margin = 26.0;
constexpr double bottom_margin = 56.0;
constexpr double between_panels = 20.0;
constexpr Color white{0xFF, 0xFF, 0xFF};
constexpr Color grid_color{0xE4, 0xE4, 0xE4};
constexpr Color zero_color{0xB8, 0xB8, 0xB8};
constexpr Color axis_color{0x55, 0x55, 0x55};
constexpr Color title_color{0x11, 0x11, 0x11};

/// A panel with everything that is known before it is drawn.
struct Plan {
  const Panel* panel = nullptr;
  Legend legend;
  Rectangle area;
  Axis x;
  Axis y;
  bool markers = false;
};

/// The panels in the coordinates of the picture's axes: logarithms where an axis is logarithmic.
std::vector<Panel> on_axes(std::vector<Panel> panels, const PlotOptions& options) {
  const auto take_logarithms = [](std::vector<double>& values) {
    for (double& value : values) value = value > 0.0 ? std::log10(value) : std::nan("");
  };
  for (Panel& panel : panels) {
    for (Series& series : panel.series) {
      if (options.log_x) take_logarithms(series.x);
      if (options.log_y) take_logarithms(series.y);
    }
  }
  return panels;
}

Axis axis_of(const Range& range, bool logarithmic, int most_ticks, double padding) {
  return logarithmic ? make_log_axis(range, std::max(padding, 0.03))
                     : make_axis(range, most_ticks, padding);
}

std::vector<std::string> labels_of(const Panel& panel) {
  std::vector<std::string> labels;
  for (const Series& series : panel.series) labels.push_back(series.label);
  return labels;
}

Range range_of(const std::vector<Panel>& panels, std::vector<double> Series::*member) {
  Range range;
  for (const Panel& panel : panels) {
    for (const Series& series : panel.series) {
      for (const double value : series.*member) range.include(value);
    }
  }
  return range;
}

double widest_label(const Axis& axis) {
  double width = 0.0;
  for (const Tick& tick : axis.ticks) width = std::max(width, text_width(tick.label, tick_size));
  return width;
}

/// About one tick per this many units.
int tick_count(double length, double spacing) {
  return std::max(2, static_cast<int>(length / spacing));
}

/// Widens one of the ranges so that a unit of data is equally long in both directions.
void equalize(Range& x, Range& y, const Rectangle& area) {
  if (x.empty() || y.empty()) return;
  constexpr double margin = 1.1;
  const double scale = std::max(
      {(x.high - x.low) * margin / area.width, (y.high - y.low) * margin / area.height, 1e-300});
  const auto widen = [scale](Range& range, double length) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * scale * length, middle + 0.5 * scale * length};
  };
  widen(x, area.width);
  widen(y, area.height);
}

void line(Canvas& canvas, Point a, Point b, Color color, double width = 1.0) {
  const std::array<Point, 2> ends{a, b};
  canvas.polyline(ends, {color, width, {}});
}

/// Middle of a pixel, for lines that are sharp.
double sharp(double position) {
  return std::floor(position) + 0.5;
}

Map map_of(const Plan& plan) {
  const Rectangle& area = plan.area;
  const Point factor{area.width / (plan.x.high - plan.x.low),
                     -area.height / (plan.y.high - plan.y.low)};
  return {{area.left - factor.x * plan.x.low, area.bottom() - factor.y * plan.y.low}, factor};
}

void draw_x_axis(Canvas& canvas, const Plan& plan, bool last, const std::string& label) {
  const Rectangle& area = plan.area;
  const Map map = map_of(plan);
  for (const Tick& tick : plan.x.ticks) {
    const double x = sharp(map(tick.value, plan.y.low).x);
    line(canvas, {x, area.top}, {x, area.bottom()}, grid_color);
    line(canvas, {x, area.bottom()}, {x, area.bottom() + tick_length}, axis_color);
    if (!last) continue;
    canvas.text({x, area.bottom() + tick_length + 15.0}, tick.label,
                {tick_size, text_color, Anchor::middle});
  }
  if (!last) return;
  const double label_line = area.bottom() + 43.0;
  canvas.text({area.left + area.width / 2.0, label_line}, label,
              {label_size, text_color, Anchor::middle});
  canvas.text({area.right(), label_line}, plan.x.note, {tick_size, text_color, Anchor::end});
}

void draw_y_axis(Canvas& canvas, const Plan& plan) {
  const Rectangle& area = plan.area;
  const Map map = map_of(plan);
  for (const Tick& tick : plan.y.ticks) {
    const double y = sharp(map(plan.x.low, tick.value).y);
    const bool zero = std::abs(tick.value) < 1e-9 * (plan.y.high - plan.y.low);
    line(canvas, {area.left, y}, {area.right(), y}, zero ? zero_color : grid_color);
    line(canvas, {area.left - tick_length, y}, {area.left, y}, axis_color);
    canvas.text({area.left - tick_length - 4.0, y + 0.35 * tick_size}, tick.label,
                {tick_size, text_color, Anchor::end});
  }
  canvas.text({22.0, area.top + area.height / 2.0}, plan.panel->y_label,
              {label_size, text_color, Anchor::middle, false, true});
  canvas.text({area.left, area.top - 6.0}, plan.y.note, {tick_size, text_color, Anchor::start});
}

void draw_series(Canvas& canvas, const Plan& plan) {
  const Map map = map_of(plan);
  canvas.begin_clip(plan.area);
  for (std::size_t i = 0; i < plan.panel->series.size(); ++i) {
    const Series& series = plan.panel->series[i];
    const Stroke stroke = series_stroke(i);
    for (const std::vector<Point>& points : visible_lines(series.x, series.y, map, 0.5)) {
      if (points.size() > 1) canvas.polyline(points, stroke);
      if (points.size() > 1 && !plan.markers) continue;
      for (const Point& point : points) canvas.dot(point, 2.5, stroke.color);
    }
  }
  canvas.end_clip();
}

void draw_panel(Canvas& canvas, const Plan& plan, bool last, const std::string& x_label) {
  draw_x_axis(canvas, plan, last, x_label);
  draw_y_axis(canvas, plan);
  draw_series(canvas, plan);
  const Rectangle& area = plan.area;
  line(canvas, {sharp(area.left), area.top}, {sharp(area.left), area.bottom()}, axis_color, 1.2);
  line(canvas, {area.left, sharp(area.bottom())}, {area.right(), sharp(area.bottom())}, axis_color,
       1.2);
  plan.legend.draw(canvas, {area.left, area.top - 8.0 - plan.legend.height() -
                                           (plan.y.note.empty() ? 0.0 : 16.0)});
}

/// Room above a panel for its legend and the note of its axis.
double room_above(const Plan& plan) {
  return plan.legend.height() + 10.0 + (plan.y.note.empty() ? 0.0 : 16.0);
}

std::vector<Plan> make_plans(const std::vector<Panel>& panels, const PlotOptions& options) {
  const double height = figure_height(panels.size(), options);
  const double legend_width = options.width - 90.0 - right_margin;
  const double rough = height / static_cast<double>(panels.size());
  std::vector<Plan> plans;
  double left = 0.0;
  double above = 0.0;
  for (const Panel& panel : panels) {
    Plan plan{&panel, Legend(labels_of(panel), legend_width), {}, {}, {}};
    plan.markers = options.markers;
    plan.y =
        axis_of(range_of({panel}, &Series::y), options.log_y, tick_count(0.75 * rough, 48.0), 0.05);
    left = std::max(left, 30.0 + widest_label(plan.y) + tick_length + 10.0);
    above += room_above(plan);
    plans.push_back(std::move(plan));
  }
  const double top = options.title.empty() ? 12.0 : 42.0;
  const double gaps = between_panels * static_cast<double>(panels.size() - 1);
  const double each =
      (height - top - bottom_margin - above - gaps) / static_cast<double>(panels.size());
  const double width = options.width - left - right_margin;

  Range x_range = range_of(panels, &Series::x);
  double y = top;
  for (Plan& plan : plans) {
    y += room_above(plan);
    plan.area = {std::round(left), std::round(y), std::round(width),
                 std::round(std::max(20.0, each))};
    y += each + between_panels;
    Range x = x_range;
    if (options.equal_axes) {
      Range range = range_of({*plan.panel}, &Series::y);
      equalize(x, range, plan.area);
      plan.y = make_axis(range, tick_count(plan.area.height, 48.0), 0.0);
    }
    plan.x = axis_of(x, options.log_x, tick_count(plan.area.width, 80.0), 0.0);
  }
  return plans;
}

}  // namespace

double figure_height(std::size_t panel_count, const PlotOptions& options) {
  return std::round(options.height * (0.4 + 0.6 * static_cast<double>(panel_count)));
}

void draw_figure(Canvas& canvas, const std::vector<Panel>& panels, const PlotOptions& options) {
  const std::vector<Panel> drawn = on_axes(panels, options);
  const std::vector<Plan> plans = make_plans(drawn, options);
  canvas.fill({0.0, 0.0, static_cast<double>(options.width), figure_height(panels.size(), options)},
              white);
  if (!options.title.empty()) {
    canvas.text({plans.front().area.left, 30.0}, options.title,
                {title_size, title_color, Anchor::start, true});
  }
  for (const Plan& plan : plans) {
    draw_panel(canvas, plan, &plan == &plans.back(), options.x_label);
  }
}

}  // namespace trammel::results::plotting
