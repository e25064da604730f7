// `include`: the sections of other files added to those of a model file.
//
// A path is relative to the file that names it. A file that several others include is read once;
// one that includes itself, over whatever way, is refused. An included file may hold parameters,
// ground frames, bodies, joints, forces, assemblies, instances and includes, but not what there is
// once in a model. Names that both files define are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/io/source_files.h"
#include "trammel/io/yaml_tree.h"

namespace trammel::io {

/// A file that was included, for the record of a run.
struct IncludedFile {
  std::string path;
  std::string text;
};

/// Adds the entries of all included files to the maps of `tree`, whose first source is the path of
/// the file itself. Reports what is wrong; a file that is no YAML throws core::InputError. Of a
/// file that is no part of a model (none of its lines begins with a key of one), nothing is told
/// but that.
std::vector<IncludedFile> add_included_files(Tree& tree,
                                             SourceFiles& files,
                                             core::Diagnostics& diagnostics);

/// Whether a text has at least one line that begins with a key of a model file. What is quoted of a
/// file, and what is rewritten, must be a model or a part of one.
bool looks_like_a_model(std::string_view text);

}  // namespace trammel::io
