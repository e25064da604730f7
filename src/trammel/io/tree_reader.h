// Wishes for the spanning tree in a model file.
#pragma once

#include "trammel/io/reader.h"
#include "trammel/model/description.h"

namespace trammel::io {

model::TreeHints read_tree(Reader& reader, const Node& node, const Path& path);

}  // namespace trammel::io
