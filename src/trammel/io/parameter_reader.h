// The map `parameters` of a model or of a sub-assembly.
#pragma once

#include "trammel/io/reader.h"

namespace trammel::io {

/// Evaluates the parameters of a map. They may use the `known` values; those of the same name as
/// one in `given` have a value already and their text is not looked at. A parameter without text is
/// an error, or, with `may_be_open`, has no value. The result holds the known ones as well.
Quantities read_parameters(Reader& reader,
                           const Node& node,
                           const Path& path,
                           Quantities known = {},
                           const Quantities& given = {},
                           bool may_be_open = false);

}  // namespace trammel::io
