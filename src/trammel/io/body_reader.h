// One body of the model file.
#pragma once

#include "trammel/io/reader.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// Always gives a body, so that others can refer to it. Where its mass properties are wrong (and
/// reported), those of a body of 1 kg and 1 kg m^2 stand in.
model::Body read_body(Reader& reader, const std::string& name, const Node& node, const Path& path);

}  // namespace trammel::io
