// Colours of bodies that were given none, as in the light drawing of the viewer (theme.ts).
#pragma once

#include <cstddef>
#include <string>

#include <Eigen/Core>

namespace trammel::report {

/// Red, green and blue from 0 to 1 (sRGB). Few bodies have colours of their own; many go along a
/// ramp from the first to the last.
Eigen::Vector3d body_color(std::size_t body, std::size_t count);

/// Of "#rrggbb".
Eigen::Vector3d color_of(const std::string& hexadecimal);

/// From sRGB to the light it stands for, as renderers want it (IEC 61966-2-1).
Eigen::Vector3d linear(const Eigen::Vector3d& color);

}  // namespace trammel::report
