// What of a large model is drawn. Pages with more than some ten thousand bodies do not open, and
// bodies whose positions are not recorded do not move in them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description.h"
#include "trammel/results/sink.h"

namespace trammel::report {

inline constexpr std::size_t most_drawn_bodies = 20'000;

/// A part of a model as a model of its own, to be drawn (scene_json.h) in its place.
struct DrawnPart {
  model::Description description;
  std::string note;  ///< "20000 of 1000000 bodies, ..."
};

/// The bodies whose positions are among the recorded channels (names and patterns, none: all), or
/// all where there are none, evenly spread if they are too many; the joints, forces and sensors
/// between them and the ground. None: the model has few enough bodies to be drawn whole, or
/// flexible ones.
std::optional<DrawnPart> drawn_part(const model::Description& description,
                                    const std::vector<std::string>& channels,
                                    std::size_t most = most_drawn_bodies);

/// What to draw of a model, whole or in part, for its results.
void add_scene(const model::Description& description,
               const std::vector<std::string>& channels,
               results::RunInformation& info);

}  // namespace trammel::report
