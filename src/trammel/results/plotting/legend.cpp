#include "trammel/results/plotting/legend.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "trammel/results/plotting/stroke_font.h"

namespace trammel::results::plotting {
namespace {

constexpr double text_size = 12.0;
constexpr double row_height = 19.0;
constexpr double sample_length = 24.0;
constexpr double gap = 7.0;
constexpr double between = 20.0;
constexpr std::size_t most_entries = 24;

}  // namespace

Stroke series_stroke(std::size_t index) {
  constexpr std::array<Color, 7> colors{{{0x00, 0x72, 0xB2},
                                         {0xD5, 0x5E, 0x00},
                                         {0x00, 0x9E, 0x73},
                                         {0xCC, 0x79, 0xA7},
                                         {0xE6, 0x9F, 0x00},
                                         {0x56, 0xB4, 0xE9},
                                         {0x4D, 0x4D, 0x4D}}};
  const std::array<std::vector<double>, 4> patterns{{{}, {7, 4}, {2, 3.5}, {9, 3.5, 2, 3.5}}};
  return {colors[index % colors.size()], 1.8, patterns[index / colors.size() % patterns.size()]};
}

Legend::Legend(const std::vector<std::string>& labels, double available_width) {
  if (labels.size() < 2) return;
  const std::size_t shown = labels.size() > most_entries ? most_entries - 1 : labels.size();
  for (std::size_t i = 0; i < shown; ++i) entries_.push_back({labels[i], i, 0.0, 0, true});
  if (shown < labels.size()) {
    entries_.push_back({fmt::format("and {} more", labels.size() - shown), shown, 0.0, 0, false});
  }

  // All columns are as wide as the widest entry, unless everything fits in one row.
  std::vector<double> widths;
  double total = 0.0;
  for (const Entry& entry : entries_) {
    widths.push_back((entry.has_line ? sample_length + gap : 0.0) +
                     text_width(entry.label, text_size) + between);
    total += widths.back();
  }
  const bool one_row = total - between <= available_width;
  const double widest = *std::max_element(widths.begin(), widths.end());
  const auto columns =
      static_cast<std::size_t>(std::max(1.0, (available_width + between) / widest));
  double left = 0.0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].row = one_row ? 0 : static_cast<int>(i / columns);
    entries_[i].left = one_row ? left : widest * static_cast<double>(i % columns);
    left += widths[i];
  }
  rows_ = entries_.back().row + 1;
}

double Legend::height() const {
  return rows_ * row_height;
}

void Legend::draw(Canvas& canvas, Point top_left) const {
  for (const Entry& entry : entries_) {
    const double x = top_left.x + entry.left;
    const double middle = top_left.y + (entry.row + 0.5) * row_height;
    if (entry.has_line) {
      Stroke stroke = series_stroke(entry.index);
      stroke.width = 2.2;
      const std::array<Point, 2> sample{{{x, middle}, {x + sample_length, middle}}};
      canvas.polyline(sample, stroke);
    }
    canvas.text({x + (entry.has_line ? sample_length + gap : 0.0), middle + 0.35 * text_size},
                entry.label, {text_size, text_color});
  }
}

}  // namespace trammel::results::plotting
