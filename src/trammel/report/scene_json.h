// The scene and all properties of a model as JSON: what the viewer draws and lists.
#pragma once

#include <string>

#include "trammel/model/description.h"

namespace trammel::report {

/// Stored with the results (RunInformation::scene), so that a report can be made from them alone.
/// SI units; quaternions as w, x, y, z. Members at rest at the origin are left out.
std::string scene_json(const model::Description& description);

}  // namespace trammel::report
