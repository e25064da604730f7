// Fewer points, the same picture.
#pragma once

#include <span>
#include <vector>

#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

/// Straight map from data to picture: picture = origin + factor * data, for each direction.
struct Map {
  Point origin;
  Point factor;

  Point operator()(double x, double y) const {
    return {origin.x + factor.x * x, origin.y + factor.y * y};
  }
};

/// The lines that show y over x, in picture units: broken where a number is missing (not finite).
/// If x never falls, each column of the picture of width `resolution` keeps its first, lowest,
/// highest and last point, so that no peak is lost, however short. In any case a point is left out
/// while it is nearer than `resolution`/2 to the last one kept.
std::vector<std::vector<Point>> visible_lines(std::span<const double> x,
                                              std::span<const double> y,
                                              const Map& map,
                                              double resolution);

}  // namespace trammel::results::plotting
