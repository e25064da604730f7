// The layout of a figure: panels, axes, grid, legend, title.
#pragma once

#include <vector>

#include "trammel/results/plot.h"
#include "trammel/results/plotting/canvas.h"

namespace trammel::results::plotting {

/// Height of the whole picture in its units.
double figure_height(std::size_t panel_count, const PlotOptions& options);

void draw_figure(Canvas& canvas, const std::vector<Panel>& panels, const PlotOptions& options);

}  // namespace trammel::results::plotting
