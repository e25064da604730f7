// The comments of a YAML text, which its parser throws away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/io/yaml_tree.h"

namespace trammel::io {

struct Comment {
  Mark mark;
  std::string text;       ///< from '#' to the end of the line, without trailing blanks
  bool own_line = false;  ///< nothing but blanks stands before it
};

/// Behind an anchor or tag at `offset`, where the value itself begins.
std::size_t skip_properties(std::string_view text, std::size_t offset);

/// The offset behind the closing quote of the quoted scalar that begins at `offset`, or npos when
/// it is not closed.
std::size_t end_of_quoted(std::string_view text, std::size_t offset);

/// All comments in the order of the text. '#' inside quotes and block scalars is no comment.
std::vector<Comment> find_comments(const Tree& tree);

}  // namespace trammel::io
