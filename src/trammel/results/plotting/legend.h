// The colours of the lines of a plot, and the list that tells which is which.
#pragma once

#include <string>
#include <vector>

#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

/// Colours that stay distinct for people who see few colours (Okabe and Ito 2008, without the
/// yellow, too pale on white); after each round of them another pattern of dashes.
Stroke series_stroke(std::size_t index);

/// Names with samples of their lines, in rows from left to right.
class Legend {
 public:
  /// No entries for a single line: its name stands at the axis.
  Legend(const std::vector<std::string>& labels, double available_width);

  double height() const;
  void draw(Canvas& canvas, Point top_left) const;

 private:
  struct Entry {
    std::string label;
    std::size_t index = 0;
    double left = 0.0;
    int row = 0;
    bool has_line = true;
  };

  std::vector<Entry> entries_;
  int rows_ = 0;
};

}  // namespace trammel::results::plotting
