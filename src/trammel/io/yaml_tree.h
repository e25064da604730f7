// The tree of a YAML (or JSON) text with the place of everything in it.
//
// yaml-cpp reads the text; this tree keeps what its own nodes forget and a model file needs: line
// and column of keys, duplicate keys, anchors by name, flow or block style, quotes. Nesting is
// limited to 64 levels and aliases to a million repeated nodes, so that no input can exhaust the
// stack or the memory.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"

namespace trammel::io {

/// A place in the text: line and column count from 1 (columns in bytes), the offset from 0.
struct Mark {
  int line = 0;
  int column = 0;
  std::size_t offset = 0;
};

enum class NodeKind { null, scalar, sequence, map, alias };

struct Node;

/// An entry of a map, or of a sequence (then without key).
struct Entry {
  std::string key;
  Mark key_mark;
  bool key_quoted = false;
  Node* value = nullptr;
  int source = -1;  ///< index into Tree::sources of an included entry; -1: that of its map
};

struct Node {
  NodeKind kind = NodeKind::null;
  bool quoted = false;  ///< a scalar in quotes, or a block scalar
  bool flow = false;    ///< a collection written with brackets
  int source = 0;       ///< index into Tree::sources
  Mark mark;
  std::string text;              ///< of a scalar
  std::vector<Entry> entries;    ///< of a sequence or map
  std::string anchor;            ///< name after '&', or the name an alias refers to
  const Node* target = nullptr;  ///< what an alias stands for
  std::size_t size = 1;          ///< nodes in this subtree, aliases expanded
  int height = 1;                ///< levels in this subtree, aliases expanded

  bool is_collection() const { return kind == NodeKind::sequence || kind == NodeKind::map; }
  /// The first entry with this key, or null.
  const Entry* find(std::string_view key) const;
};

/// The node itself, or what it is an alias of.
const Node& resolved(const Node& node);

/// Where nodes come from.
struct Source {
  std::string name;     ///< of a file, or the words of an override
  bool is_file = true;  ///< so that lines and columns mean something
};

/// Owns its nodes; they do not move.
struct Tree {
  std::string text;             ///< of the file, with normalised lines
  std::vector<Source> sources;  ///< the file, then included files and overrides
  std::deque<Node> nodes;
  Node* root = nullptr;  ///< null for an empty text
};

/// Parses `text`, which is called `name` in messages. Duplicate keys are reported to `diagnostics`
/// and the first one is kept; anything that is not YAML throws core::InputError.
Tree parse_tree(std::string text, const std::string& name, core::Diagnostics& diagnostics);

/// Parses a further text into a tree that exists, e.g. the value of an override. Null when the text
/// is empty.
Node* parse_into(Tree& tree,
                 std::string_view text,
                 const std::string& name,
                 core::Diagnostics& diagnostics);

}  // namespace trammel::io
