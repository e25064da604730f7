// Mass, centre and inertia of every body, as the model was understood.
#pragma once

#include <string>

#include "trammel/model/description.h"

namespace trammel::cli {

/// "[0.1, 0]", with as many components as the space has.
std::string vector_text(const Eigen::Vector3d& v, model::Space space);

/// A table under a heading: kind, mass, position, centre of mass in the body frame, inertia about
/// it in the axes of the body frame. At most so many rows.
void print_bodies(const model::Description& description, std::size_t most_rows);

}  // namespace trammel::cli
