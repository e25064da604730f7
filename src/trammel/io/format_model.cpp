#include "trammel/io/format_model.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/io/comments.h"
#include "trammel/io/scalar_text.h"
#include "trammel/io/yaml_tree.h"

namespace trammel::io {
namespace {

constexpr std::size_t widest = 100;
constexpr int no_line = std::numeric_limits<int>::max();

struct Line {
  std::size_t indent = 0;
  std::string text;     ///< empty for a blank line
  std::string comment;  ///< behind the text
};

/// The offset of the last value in a subtree, aliases not followed.
std::size_t last_offset(const Node& node) {
  std::size_t offset = node.mark.offset;
  for (const Entry& entry : node.entries) offset = std::max(offset, last_offset(*entry.value));
  return offset;
}

class Formatter {
 public:
  explicit Formatter(const Tree& tree) : tree_(tree), comments_(find_comments(tree)) {
    std::size_t start = 0;
    while (start < tree.text.size()) {
      const std::size_t end = std::min(tree.text.find('\n', start), tree.text.size());
      const std::string_view line = std::string_view(tree.text).substr(start, end - start);
      blank_.push_back(line.find_first_not_of(" \t") == std::string_view::npos);
      start = end + 1;
    }
  }

  std::string run() {
    const Node& root = *tree_.root;
    if (root.is_collection() && !root.entries.empty()) {
      flush_comments(first_line(root), 0);
      if (!root.anchor.empty()) lines_.push_back({0, "&" + root.anchor, {}});
      emit_block(root, 0, no_line);
    } else {
      emit_line("", root, 0, root.mark.offset);
    }
    flush_comments(no_line, 0);
    return joined();
  }

 private:
  // Comments ---------------------------------------------------------------------------------
  static int first_line(const Node& collection) { return mark_of(collection, 0).line; }

  /// Keeps one blank line where the text has some before `line`.
  void keep_blank(int line) {
    const auto index = static_cast<std::size_t>(line) - 1;
    if (line > 1 && index <= blank_.size() && blank_[index - 1] && !lines_.empty()) {
      lines_.push_back({});
    }
  }

  void emit_comment(const Comment& comment, std::size_t indent) {
    keep_blank(comment.mark.line);
    lines_.push_back({indent, comment.text, {}});
  }

  /// All comments above `line` that have not found a place, on lines of their own.
  void flush_comments(int line, std::size_t indent) {
    while (next_ < comments_.size() && comments_[next_].mark.line < line) {
      emit_comment(comments_[next_++], indent);
    }
  }

  /// The comments below the last entry of a block that are indented like it.
  void flush_indented_comments(int line, int column, std::size_t indent) {
    while (next_ < comments_.size() && comments_[next_].mark.line < line &&
           comments_[next_].mark.column >= column) {
      emit_comment(comments_[next_++], indent);
    }
  }

  /// The comments up to `offset` and the one behind it in the same line. All but the last go onto
  /// lines of their own; that is returned.
  std::string take_comments(std::size_t offset, std::size_t indent) {
    const std::size_t end_of_line = tree_.text.find('\n', offset);
    std::string last;
    while (next_ < comments_.size() && comments_[next_].mark.offset < end_of_line) {
      if (!last.empty()) lines_.push_back({indent, std::move(last), {}});
      last = comments_[next_++].text;
    }
    return last;
  }

  bool has_comment_inside(const Node& node) const {
    return next_ < comments_.size() && comments_[next_].mark.offset > node.mark.offset &&
           comments_[next_].mark.offset < last_offset(node);
  }

  // Values -----------------------------------------------------------------------------------
  static std::string anchor_of(const Node& node) {
    return node.anchor.empty() || node.kind == NodeKind::alias ? "" : "&" + node.anchor + " ";
  }

  static std::string flow_text(const Node& node) {
    switch (node.kind) {
      case NodeKind::null:
        return anchor_of(node) + "null";
      case NodeKind::alias:
        return "*" + node.anchor;
      case NodeKind::scalar:
        return anchor_of(node) + scalar_text(node.text, node.quoted);
      case NodeKind::sequence:
      case NodeKind::map:
        break;
    }
    std::string text;
    for (const Entry& entry : node.entries) {
      if (!text.empty()) text += ", ";
      if (node.kind == NodeKind::map) text += scalar_text(entry.key, entry.key_quoted) + ": ";
      text += flow_text(*entry.value);
    }
    return anchor_of(node) + (node.kind == NodeKind::map ? "{" + text + "}" : "[" + text + "]");
  }

  /// `prefix` is "key:" or "-". `offset` is where the entry begins.
  void emit_value(const std::string& prefix,
                  const Node& node,
                  std::size_t indent,
                  std::size_t offset,
                  int until_line) {
    if (node.is_collection() && !node.entries.empty()) {
      const bool one_line = node.flow && !has_comment_inside(node) &&
                            indent + prefix.size() + 1 + flow_text(node).size() <= widest;
      if (!one_line) {
        emit_nested(prefix, node, indent, offset, until_line);
        return;
      }
    }
    emit_line(prefix, node, indent, last_offset(node));
  }

  /// A value in the line of its key.
  void emit_line(const std::string& prefix,
                 const Node& node,
                 std::size_t indent,
                 std::size_t offset) {
    const bool block_text = node.kind == NodeKind::scalar && is_block_text(node.text);
    std::string comment = take_comments(offset, indent);
    std::string text = prefix;
    if (node.kind != NodeKind::null || !node.anchor.empty() || prefix.empty()) {
      if (!prefix.empty()) text += ' ';
      text += block_text ? anchor_of(node) + block_header(node.text) : flow_text(node);
    }
    lines_.push_back({indent, std::move(text), std::move(comment)});
    if (!block_text) return;
    for (std::string& line : block_lines(node.text)) {
      lines_.push_back({line.empty() ? 0 : indent + 2, std::move(line), {}});
    }
  }

  /// A collection below its key.
  void emit_nested(const std::string& prefix,
                   const Node& node,
                   std::size_t indent,
                   std::size_t offset,
                   int until_line) {
    std::string comment;
    const std::size_t first = mark_of(node, 0).offset;
    const std::size_t end_of_line = tree_.text.find('\n', offset);
    if (next_ < comments_.size() && comments_[next_].mark.offset < std::min(first, end_of_line)) {
      comment = comments_[next_++].text;
    }
    const bool on_dash = prefix == "-" && node.anchor.empty();
    if (!on_dash) {
      const std::string anchor = node.anchor.empty() ? "" : " &" + node.anchor;
      lines_.push_back({indent, prefix + anchor, std::move(comment)});
      emit_block(node, indent + 2, until_line);
      return;
    }
    // The first entry of a block inside a sequence stands behind the dash.
    if (!comment.empty()) lines_.push_back({indent, std::move(comment), {}});
    flush_comments(first_line(node), indent);
    const std::size_t start = lines_.size();
    dash_ = true;
    emit_block(node, indent + 2, until_line);
    lines_[start].indent = indent;
    lines_[start].text = "- " + lines_[start].text;
  }

  static const Mark& mark_of(const Node& collection, std::size_t index) {
    const Entry& entry = collection.entries[index];
    return collection.kind == NodeKind::map ? entry.key_mark : entry.value->mark;
  }

  void emit_block(const Node& node, std::size_t indent, int until_line) {
    const bool is_map = node.kind == NodeKind::map;
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const Entry& entry = node.entries[i];
      const Mark& mark = mark_of(node, i);
      if (!std::exchange(dash_, false)) {
        flush_comments(mark.line, indent);
        keep_blank(mark.line);
      }
      const bool last = i + 1 == node.entries.size();
      const int next_line = last ? until_line : mark_of(node, i + 1).line;
      const std::string prefix = is_map ? scalar_text(entry.key, entry.key_quoted) + ":" : "-";
      emit_value(prefix, *entry.value, indent, mark.offset, next_line);
    }
    if (node.flow) return;
    const int column = is_map ? mark_of(node, 0).column : node.mark.column;
    flush_indented_comments(until_line, column, indent);
  }

  // Text -------------------------------------------------------------------------------------
  /// Aligns the comments of neighbouring lines.
  std::string joined() const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i;
      std::size_t width = 0;
      while (end < lines_.size() && !lines_[end].comment.empty()) {
        width = std::max(width, lines_[end].indent + lines_[end].text.size());
        ++end;
      }
      end = std::max(end, i + 1);
      for (; i < end; ++i) {
        const Line& line = lines_[i];
        const std::string start = std::string(line.indent, ' ') + line.text;
        text += start;
        if (!line.comment.empty())
          text += std::string(width - start.size() + 2, ' ') + line.comment;
        text += '\n';
      }
    }
    return text;
  }

  const Tree& tree_;
  std::vector<Comment> comments_;
  std::vector<bool> blank_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;  ///< first comment that has no place yet
  bool dash_ = false;     ///< the next entry stands behind a dash
};

bool same_values(const Node& a, const Node& b) {
  const bool same_quotes = a.quoted == b.quoted || a.text.find('\n') != std::string::npos;
  if (a.kind != b.kind || a.text != b.text || a.anchor != b.anchor || !same_quotes ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(),
                    [](const Entry& x, const Entry& y) {
                      return x.key == y.key && same_values(*x.value, *y.value);
                    });
}

std::vector<std::string> sorted_comments(const Tree& tree) {
  std::vector<std::string> texts;
  for (Comment& comment : find_comments(tree)) texts.push_back(std::move(comment.text));
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Whether `formatted` says the same as the tree it was made from, and would be made from itself.
bool is_faithful(const Tree& tree, const std::string& formatted, const std::string& name) {
  try {
    core::Diagnostics diagnostics;
    const Tree again = parse_tree(formatted, name, diagnostics);
    return !diagnostics.has_errors() && again.root != nullptr &&
           same_values(*tree.root, *again.root) &&
           sorted_comments(tree) == sorted_comments(again) && Formatter(again).run() == formatted;
  } catch (const core::InputError&) {
    return false;
  }
}

}  // namespace

std::string format_model(const std::string& text, const std::string& name) {
  core::Diagnostics diagnostics;
  const Tree tree = parse_tree(text, name, diagnostics);
  diagnostics.throw_if_errors();
  if (tree.root == nullptr || tree.root->flow) return tree.text;
  std::string formatted = Formatter(tree).run();
  if (is_faithful(tree, formatted, name)) return formatted;
  throw core::InputError(name + " cannot be laid out anew without loss",
                         "it stays as it is; simplify quotes, block text or comments");
}

}  // namespace trammel::io
