// `override`: values of a sub-assembly replaced in one instance of it.
#pragma once

#include <functional>
#include <string>

#include "trammel/io/yaml_tree.h"

namespace trammel::io {

/// Told about an entry of `changes` that leads nowhere.
using OverrideError =
    std::function<void(const Entry& change, std::string message, std::string remedy)>;

/// A copy of the definition `assembly` in which the values that the entries of `changes` name by
/// their paths ("bodies.shin.mass", "instances.knee.parameters.radius", "instances.knee.bodies.cap.
/// mass") are replaced. Only the maps along the paths are copied. The last part of a path may be
/// new, except for the name of a body, joint, force, frame, port or instance.
const Node* with_overrides(Tree& tree,
                           const Node& assembly,
                           const Node& changes,
                           const OverrideError& report);

}  // namespace trammel::io
