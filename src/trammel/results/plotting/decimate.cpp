#include "trammel/results/plotting/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel::results::plotting {
namespace {

/// Keeps first, lowest, highest and last point of each column, in the order in which they came.
class ColumnFilter {
 public:
  ColumnFilter(std::vector<Point>& line, double resolution)
      : line_(line), resolution_(resolution) {}

  void add(Point point) {
    const double column = std::floor(point.x / resolution_);
    if (count_ > 0 && column != column_) finish();
    column_ = column;
    if (count_ == 0) kept_.fill({point, 0});
    if (point.y < kept_[1].point.y) kept_[1] = {point, count_};
    if (point.y > kept_[2].point.y) kept_[2] = {point, count_};
    kept_[3] = {point, count_};
    ++count_;
  }

  void finish() {
    if (count_ == 0) return;
    std::sort(kept_.begin(), kept_.end(),
              [](const Kept& a, const Kept& b) { return a.order < b.order; });
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (k == 0 || kept_[k].order != kept_[k - 1].order) line_.push_back(kept_[k].point);
    }
    count_ = 0;
  }

 private:
  struct Kept {
    Point point;
    std::size_t order = 0;
  };

  std::vector<Point>& line_;
  double resolution_;
  double column_ = 0.0;
  std::size_t count_ = 0;
  std::array<Kept, 4> kept_{};
};

/// Leaves out points that are too near to the last one to be seen; the last point of all stays.
void thin_out(std::vector<Point>& line, double distance) {
  if (line.size() < 3) return;
  std::vector<Point> kept{line.front()};
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (std::hypot(line[i].x - kept.back().x, line[i].y - kept.back().y) >= distance) {
      kept.push_back(line[i]);
    }
  }
  kept.push_back(line.back());
  line = std::move(kept);
}

}  // namespace

std::vector<std::vector<Point>> visible_lines(std::span<const double> x,
                                              std::span<const double> y,
                                              const Map& map,
                                              double resolution) {
  const std::size_t count = std::min(x.size(), y.size());
  const bool ordered = std::is_sorted(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::vector<Point>> lines;
  for (std::size_t i = 0; i < count;) {
    const auto visible = [&](std::size_t k) {
      const Point p = map(x[k], y[k]);
      return std::isfinite(p.x) && std::isfinite(p.y);
    };
    if (!visible(i)) {
      ++i;
      continue;
    }
    std::vector<Point>& line = lines.emplace_back();
    ColumnFilter columns(line, resolution);
    for (; i < count && visible(i); ++i) {
      const Point point = map(x[i], y[i]);
      if (ordered) {
        columns.add(point);
      } else {
        line.push_back(point);
      }
    }
    columns.finish();
    thin_out(line, resolution / 2.0);
  }
  return lines;
}

}  // namespace trammel::results::plotting
