// Connections assembled of elements: `connections` of the model file.
#pragma once

#include "trammel/io/reader.h"
#include "trammel/io/vocabulary.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// The map `connections`; wrong ones are reported and left out.
void read_connections(Reader& reader,
                      const Node& node,
                      const Path& path,
                      const Vocabulary& vocabulary,
                      model::Description& description);

}  // namespace trammel::io
