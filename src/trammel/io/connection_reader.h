// Internal nodes of connections: `nodes` of the model file.
#pragma once

#include <vector>

#include "trammel/io/reader.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// The map `nodes` of a connection; wrong ones are reported and left out.
std::vector<model::InternalNode> read_internal_nodes(Reader& reader,
                                                     const Node& node,
                                                     const Path& path);

}  // namespace trammel::io
