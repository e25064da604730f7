#include "trammel/report/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "trammel/report/json_writer.h"
#include "trammel/results/plotting/axis.h"

namespace trammel::report {
namespace {

using results::plotting::Axis;
using results::plotting::Range;
using results::plotting::Tick;

constexpr double left_margin = 66.0;
constexpr double right_margin = 14.0;
constexpr double top_margin = 34.0;
constexpr double bottom_margin = 46.0;

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    Range x;
    Range y;
    for (const auto* lines : {&chart.lines, &chart.guides}) {
      for (const ChartLine& line : *lines) include(line, x, y);
    }
    x_ = chart.log_x ? results::plotting::make_log_axis(x, 0.06)
                     : results::plotting::make_axis(x, 7, 0.0);
    y_ = chart.log_y ? results::plotting::make_log_axis(y, 0.06)
                     : results::plotting::make_axis(y, 7, 0.05);
    if (chart.log_x) mark_values();
  }

  std::string draw() {
    text_ = fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n"
        "<text class=\"title\" x=\"{:.0f}\" y=\"19\">{}</text>\n",
        chart_.width, chart_.height, escaped_html(chart_.title), left_margin,
        escaped_html(chart_.title));
    axes();
    for (const ChartLine& line : chart_.guides) guide(line);
    for (const ChartLine& line : chart_.lines) series(line);
    return std::move(text_) + "</svg>\n";
  }

 private:
  void include(const ChartLine& line, Range& x, Range& y) const {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double a = shown(line.x[i], chart_.log_x);
      const double b = shown(line.y[i], chart_.log_y);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      x.include(a);
      y.include(b);
    }
  }

  // Where all points stand at a few values, such as steps, these are the ticks.
  void mark_values() {
    constexpr std::size_t most = 7;
    constexpr double room = 46.0;  // of a label
    std::set<double> values;
    for (const ChartLine& line : chart_.lines) {
      for (const double x : line.x) {
        if (x > 0.0) values.insert(x);
        if (values.size() > most) return;
      }
    }
    if (values.size() < 2) return;
    std::vector<Tick> ticks;
    for (const double x : values) {
      if (!ticks.empty() && place_x(std::log10(x)) - place_x(ticks.back().value) < room) return;
      ticks.push_back({std::log10(x), fmt::format("{:g}", x)});
    }
    x_.ticks = std::move(ticks);
  }

  static double shown(double value, bool logarithmic) {
    if (!logarithmic) return value;
    return value > 0.0 ? std::log10(value) : std::nan("");
  }

  double right() const { return chart_.width - right_margin; }
  double bottom() const { return chart_.height - bottom_margin; }
  double place_x(double x) const {
    return left_margin + (x - x_.low) / (x_.high - x_.low) * (right() - left_margin);
  }
  double place_y(double y) const {
    return bottom() - (y - y_.low) / (y_.high - y_.low) * (bottom() - top_margin);
  }

  void axes() {
    for (const Tick& tick : x_.ticks) {
      const double x = place_x(tick.value);
      text_ += fmt::format(
          "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>"
          "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
          x, top_margin, bottom(), bottom() + 17.0, tick.label);
    }
    for (const Tick& tick : y_.ticks) {
      const double y = place_y(tick.value);
      text_ += fmt::format(
          "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>"
          "<text class=\"tick\" x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          left_margin, y, right(), left_margin - 7.0, y + 4.0, tick.label);
    }
    text_ += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>"
        "<text class=\"label\" x=\"{4:.1f}\" y=\"{5}\" text-anchor=\"middle\">{6}</text>"
        "<text class=\"label\" transform=\"translate(15 {7:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">{8}</text>\n",
        left_margin, top_margin, bottom(), right(), 0.5 * (left_margin + right()),
        chart_.height - 8, escaped_html(with_note(chart_.x_label, x_)),
        0.5 * (top_margin + bottom()), escaped_html(with_note(chart_.y_label, y_)));
  }

  static std::string with_note(const std::string& label, const Axis& axis) {
    return axis.note.empty() ? label : fmt::format("{} ({})", label, axis.note);
  }

  std::string path_of(const ChartLine& line) const {
    std::string path;
    bool pen_down = false;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = shown(line.x[i], chart_.log_x);
      const double y = shown(line.y[i], chart_.log_y);
      if (!std::isfinite(x) || !std::isfinite(y)) {
        pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", place_x(x), place_y(y));
      pen_down = true;
    }
    return path;
  }

  void guide(const ChartLine& line) {
    if (line.x.empty()) return;
    text_ += fmt::format(
        "<path class=\"guide\" d=\"{}\"/><text class=\"tick\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>\n",
        path_of(line), place_x(shown(line.x.back(), chart_.log_x)) + 4.0,
        place_y(shown(line.y.back(), chart_.log_y)) + 4.0, escaped_html(line.label));
  }

  void series(const ChartLine& line) {
    std::string classes = fmt::format("line c{} d{}", line.color, line.dashes);
    for (const std::string& each : line.classes) classes += " " + each;
    text_ += fmt::format(R"(<g class="{}"><path d="{}"><title>{}</title></path>)", classes,
                         path_of(line), escaped_html(line.label));
    for (std::size_t i = 0; line.marker >= 0 && i < line.x.size(); ++i) {
      const double x = shown(line.x[i], chart_.log_x);
      const double y = shown(line.y[i], chart_.log_y);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      text_ += marker(line.marker, place_x(x), place_y(y),
                      i < line.texts.size() ? line.texts[i] : line.label);
    }
    text_ += "</g>\n";
  }

 public:
  static std::string marker(int kind, double x, double y, const std::string& title) {
    constexpr std::array<const char*, 4> shapes{"m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
                                                "m-3.3-3.3h6.6v6.6h-6.6z", "m0-4.4l4.2 7.4h-8.4z",
                                                "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z"};
    return fmt::format(R"(<path class="mark" d="M{:.1f} {:.1f}{}"><title>{}</title></path>)", x, y,
                       shapes[static_cast<std::size_t>(std::clamp(kind, 0, 3))],
                       escaped_html(title));
  }

 private:
  const Chart& chart_;
  Axis x_;
  Axis y_;
  std::string text_;
};

}  // namespace

std::string svg(const Chart& chart) {
  return Drawing(chart).draw();
}

std::string svg_sample(int color, int dashes, int marker) {
  return fmt::format(
      "<svg class=\"sample\" viewBox=\"0 0 46 14\" width=\"46\" height=\"14\" aria-hidden=\"true\">"
      "<g class=\"line c{} d{}\"><path d=\"M2 7H44\"/>{}</g></svg>",
      color, dashes, marker < 0 ? "" : Drawing::marker(marker, 23.0, 7.0, ""));
}

std::string chart_styles() {
  // Okabe and Ito's colours, told apart by people who see few colours; brighter ones on dark.
  return R"(:root{--paper:#fff;--card:#fff;--ink:#1c2430;--soft:#5a6675;--rule:#dfe4ea;--grid:#e9edf1;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#a0528d;--c4:#b57b00;--c5:#2f8fd0;--c6:#5b5b5b;--c7:#8b4513}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--card:#1b2027;--ink:#e6eaef;--soft:#9aa6b4;
--rule:#323a44;--grid:#272e37;--c0:#5ab4f0;--c1:#ff8f40;--c2:#3fd0a4;--c3:#df9bcb;--c4:#f0bd4f;--c5:#9ad4ff;
--c6:#b9c0c8;--c7:#d59b6c}}
svg.chart{width:100%;height:auto;display:block;font:12px system-ui,sans-serif}
svg .title{font-size:14px;font-weight:600;fill:var(--ink)}svg .label{fill:var(--soft);font-size:12px}
svg .tick{fill:var(--soft);font-size:11px}svg .grid{stroke:var(--grid);fill:none}
svg .axis{stroke:var(--soft);fill:none}svg .guide{stroke:var(--soft);stroke-dasharray:2 4;fill:none}
svg .line path{fill:none;stroke-width:1.7;stroke-linejoin:round}svg .line .mark{stroke-width:1.5;fill:var(--card)}
svg .d1 path:not(.mark){stroke-dasharray:7 4}svg .d2 path:not(.mark){stroke-dasharray:2 3.5}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}
.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}.c6{stroke:var(--c6)}.c7{stroke:var(--c7)}
svg .line.faded{opacity:.13}svg .line.front path{stroke-width:3}
)";
}

}  // namespace trammel::report
