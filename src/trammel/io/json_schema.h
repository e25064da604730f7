// The published JSON Schema of the model file, for completion and checks in editors.
#pragma once

#include <string>

#include "trammel/io/vocabulary.h"

namespace trammel::io {

/// Draft 7, which editors understand best. Made from the same table of keys as the reader, so that
/// both know the same words; dimensions, names and physics are checked by the reader alone.
std::string json_schema(const Vocabulary& vocabulary);

}  // namespace trammel::io
