// The reference page of the model file, docs/model_file.md.
#pragma once

#include <string>

#include "trammel/io/vocabulary.h"

namespace trammel::io {

/// Markdown, made from the same table of keys as the reader and the JSON Schema.
std::string reference_page(const Vocabulary& vocabulary);

}  // namespace trammel::io
