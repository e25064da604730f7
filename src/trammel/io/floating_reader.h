// Bodies in a floating frame: keys and reader.
#pragma once

#include "trammel/io/flexible_reader.h"
#include "trammel/io/keys.h"
#include "trammel/model/flexible/floating_body.h"

namespace trammel::io {

/// Of the body, in place of the section "flexible", and what it refers to.
std::vector<Section> floating_sections();

/// Whether a flexible body is one of these.
bool is_floating(const Node& node);

/// Without a structure where none could be read, which is told.
model::FloatingBody read_floating_body(Reader& reader,
                                       const std::string& name,
                                       const Node& node,
                                       const Path& path,
                                       const FlexibleParts& parts);

}  // namespace trammel::io
