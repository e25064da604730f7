#include "trammel/io/comments.h"

#include <algorithm>

namespace trammel::io {
namespace {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::size_t end_of_line(std::string_view text, std::size_t offset) {
  return std::min(text.find('\n', offset), text.size());
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// The lines after the header that are blank or indented at least like the first one.
std::size_t end_of_block_scalar(std::string_view text, std::size_t offset) {
  std::size_t end = end_of_line(text, offset);
  std::size_t content_indentation = 0;
  while (end < text.size()) {
    const std::size_t next = end + 1;
    const std::string_view line = text.substr(next, end_of_line(text, next) - next);
    const std::size_t indent = indentation(line);
    if (indent < line.size()) {
      if (content_indentation == 0) content_indentation = std::max<std::size_t>(indent, 1);
      if (indent < content_indentation) break;
    }
    end = end_of_line(text, next);
  }
  return end;
}

void add_range(std::string_view text, std::size_t offset, std::vector<Range>& ranges) {
  const std::size_t begin = skip_properties(text, offset);
  if (begin >= text.size()) return;
  if (text[begin] == '"' || text[begin] == '\'') {
    ranges.push_back({begin, std::min(end_of_quoted(text, begin), text.size())});
  } else if (text[begin] == '|' || text[begin] == '>') {
    ranges.push_back({end_of_line(text, begin), end_of_block_scalar(text, begin)});
  }
}

/// Where '#' is an ordinary character.
std::vector<Range> protected_ranges(const Tree& tree) {
  std::vector<Range> ranges;
  for (const Node& node : tree.nodes) {
    if (node.source == 0 && node.kind == NodeKind::scalar && node.quoted) {
      add_range(tree.text, node.mark.offset, ranges);
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  return ranges;
}

}  // namespace

std::size_t skip_properties(std::string_view text, std::size_t offset) {
  while (offset < text.size() && (text[offset] == '&' || text[offset] == '!')) {
    offset = std::min(text.find_first_of(" \t\n", offset), text.size());
    offset = std::min(text.find_first_not_of(" \t\n", offset), text.size());
  }
  return offset;
}

std::size_t end_of_quoted(std::string_view text, std::size_t offset) {
  const char quote = text[offset];
  for (std::size_t i = offset + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

std::vector<Comment> find_comments(const Tree& tree) {
  const std::string_view text = tree.text;
  const std::vector<Range> ranges = protected_ranges(tree);
  auto range = ranges.begin();
  std::vector<Comment> comments;
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    while (range != ranges.end() && range->end <= i) ++range;
    const bool inside = range != ranges.end() && range->begin <= i;
    if (text[i] == '#' && !inside &&
        (i == line_start || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      const std::size_t end = end_of_line(text, i);
      std::string_view words = text.substr(i, end - i);
      words = words.substr(0, words.find_last_not_of(" \t") + 1);
      const std::string_view before = text.substr(line_start, i - line_start);
      comments.push_back({{line, static_cast<int>(i - line_start) + 1, i},
                          std::string(words),
                          before.find_first_not_of(" \t") == std::string_view::npos});
      i = end;
      if (i >= text.size()) break;
    }
    if (text[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
  }
  return comments;
}

}  // namespace trammel::io
