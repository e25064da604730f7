// The animation as a binary glTF 2.0 file (.glb), for Blender, PowerPoint, web pages and viewers.
//
// One node per body, with its parts as a mesh and its motion as keys of translation and rotation.
// A node above them turns the model's upward direction into +y, which glTF wants. Metres; times in
// seconds from the first one. Bodies that were given no colour have those of the report.
#pragma once

#include <cstddef>
#include <string>

#include "trammel/report/drawn_model.h"
#include "trammel/results/table.h"

namespace trammel::report {

struct GlbOptions {
  std::size_t most_frames = 5000;  ///< keys of the animation; more rows are thinned out evenly
};

/// The bytes of the file. InputError when there is nothing to draw.
std::string glb(const DrawnModel& model,
                const results::Table& table,
                const GlbOptions& options = {});

}  // namespace trammel::report
