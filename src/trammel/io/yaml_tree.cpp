#include "trammel/io/yaml_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "trammel/io/comments.h"
#include "trammel/io/text_check.h"

namespace trammel::io {
namespace {

constexpr std::size_t deepest_node = 64;
constexpr std::size_t most_repeated_nodes = 1'000'000;
constexpr std::size_t most_duplicates = 200;  ///< that are told

/// Thrown out of the parser's callbacks and caught by parse_into.
struct SyntaxError {
  Mark mark;
  std::string message;
  std::string remedy;
};

Mark to_mark(const YAML::Mark& mark) {
  return {mark.line + 1, mark.column + 1, static_cast<std::size_t>(std::max(mark.pos, 0))};
}

/// Builds the tree from the events of the parser. One frame per open collection.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Tree& tree, std::string_view text, core::Diagnostics& diagnostics)
      : tree_(tree),
        text_(text),
        diagnostics_(diagnostics),
        source_(static_cast<int>(tree.sources.size()) - 1) {}

  Node* root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    const Mark at = to_mark(mark);
    if (text_.substr(std::min(at.offset, text_.size()), 3) == "---") {
      throw SyntaxError{at, "a second document starts here", "one file holds one model"};
    }
    throw SyntaxError{at, "this does not belong to the text before it",
                      "check the indentation and the brackets"};
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& /*mark*/, const std::string& name) override { anchor_ = name; }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(new_node(NodeKind::null, mark, anchor));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node* target = anchors_.at(anchor);
    Node* node = new_node(NodeKind::alias, mark, YAML::NullAnchor);
    if (is_open(target)) {
      throw SyntaxError{node->mark,
                        fmt::format("the alias '*{}' stands inside itself", target->anchor),
                        "write the value out"};
    }
    node->target = target;
    node->anchor = target->anchor;
    node->size = target->size;
    node->height = target->height;
    repeated_nodes_ += target->size;
    if (repeated_nodes_ > most_repeated_nodes) {
      throw SyntaxError{node->mark,
                        fmt::format("aliases repeat more than {} values", most_repeated_nodes),
                        "write the values out, or use parameters"};
    }
    add(node);
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    Node* node = new_node(NodeKind::scalar, mark, anchor);
    refuse_tag(tag, node->mark);
    node->text = value;
    node->quoted = tag == "!";
    if (node->quoted) refuse_open_quote(node->mark);
    add(node);
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(NodeKind::sequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(NodeKind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node* node = nullptr;
    Node* key = nullptr;  ///< of a map: read, its value is awaited
  };

  Node* new_node(NodeKind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node* node = &tree_.nodes.emplace_back();
    node->kind = kind;
    node->mark = to_mark(mark);
    node->source = source_;
    if (anchor != YAML::NullAnchor) {
      node->anchor = std::exchange(anchor_, {});
      anchors_[anchor] = node;
    }
    return node;
  }

  static void refuse_tag(const std::string& tag, const Mark& mark) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw SyntaxError{mark, fmt::format("the tag '{}' has no meaning in a model file", tag),
                      "remove it; text that starts with '!' needs quotes"};
  }

  /// The parser takes a quote that is never closed for text up to the end of the file.
  void refuse_open_quote(const Mark& mark) const {
    const std::size_t begin = skip_properties(text_, mark.offset);
    if (begin >= text_.size() || (text_[begin] != '"' && text_[begin] != '\'')) return;
    if (end_of_quoted(text_, begin) != std::string_view::npos) return;
    throw SyntaxError{mark, "a quote is opened here and never closed", "close it"};
  }

  bool is_open(const Node* node) const {
    return std::any_of(frames_.begin(), frames_.end(),
                       [&](const Frame& frame) { return frame.node == node; });
  }

  void open(NodeKind kind,
            const YAML::Mark& mark,
            const std::string& tag,
            YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    Node* node = new_node(kind, mark, anchor);
    refuse_tag(tag, node->mark);
    node->flow = style == YAML::EmitterStyle::Flow;
    if (frames_.size() >= deepest_node) throw too_deep(node->mark);
    if (awaits_key()) throw complex_key(node->mark);
    frames_.push_back({node, nullptr});
  }

  void close() {
    Node* node = frames_.back().node;
    frames_.pop_back();
    if (node->kind == NodeKind::map) report_duplicates(*node);
    add(node);
  }

  bool awaits_key() const {
    return !frames_.empty() && frames_.back().node->kind == NodeKind::map &&
           frames_.back().key == nullptr;
  }

  void add(Node* node) {
    if (frames_.empty()) {
      root_ = node;
      return;
    }
    Frame& frame = frames_.back();
    if (awaits_key()) {
      if (node->kind != NodeKind::scalar || !node->anchor.empty()) throw complex_key(node->mark);
      frame.key = node;
      return;
    }
    Entry entry;
    entry.value = node;
    if (frame.key != nullptr) {
      entry.key = std::move(frame.key->text);
      entry.key_mark = frame.key->mark;
      entry.key_quoted = frame.key->quoted;
      frame.key = nullptr;
    }
    frame.node->entries.push_back(std::move(entry));
    frame.node->size += node->size;
    frame.node->height = std::max(frame.node->height, node->height + 1);
    if (static_cast<std::size_t>(frame.node->height) > deepest_node) throw too_deep(node->mark);
  }

  static SyntaxError too_deep(const Mark& mark) {
    return {mark, fmt::format("values are nested more than {} levels deep", deepest_node),
            "a model file needs less than ten; close the brackets"};
  }

  static SyntaxError complex_key(const Mark& mark) {
    return {mark, "a key must be a plain word", "write 'key: value'"};
  }

  /// The keys that lead to `key` in the collection that is just being closed.
  std::string path_to(const std::string& key) const {
    constexpr std::size_t longest_shown = 60;
    std::string path;
    for (const Frame& frame : frames_) {
      if (frame.key != nullptr) path += frame.key->text.substr(0, longest_shown) + ".";
    }
    return path + key.substr(0, longest_shown);
  }

  /// Keeps the first of several equal keys.
  void report_duplicates(Node& map) {
    std::unordered_map<std::string_view, int> lines;
    lines.reserve(map.entries.size());
    std::vector<Entry> unique;
    unique.reserve(map.entries.size());
    for (Entry& entry : map.entries) {
      const auto found = lines.find(entry.key);
      if (found == lines.end()) {
        // The key's text moves with the entry, and its characters may move with it.
        unique.push_back(std::move(entry));
        lines.emplace(unique.back().key, unique.back().key_mark.line);
      } else if (diagnostics_.list().size() < most_duplicates) {
        diagnostics_.add(
            {core::Severity::error, path_to(entry.key), "this name is given twice",
             fmt::format("the first one is in line {}; rename or remove one", found->second),
             tree_.sources.back().name, entry.key_mark.line, entry.key_mark.column});
      }
    }
    map.entries = std::move(unique);
  }

  Tree& tree_;
  std::string_view text_;
  core::Diagnostics& diagnostics_;
  int source_ = 0;
  int documents_ = 0;
  Node* root_ = nullptr;
  std::string anchor_;
  std::map<YAML::anchor_t, Node*> anchors_;
  std::vector<Frame> frames_;
  std::size_t repeated_nodes_ = 0;
};

/// The parser's own words, said so that a person knows what to do.
SyntaxError explained(const YAML::Exception& error, std::string_view text) {
  const Mark mark = to_mark(error.mark);
  const std::size_t end = std::min(mark.offset, text.size());
  const std::size_t start = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  const std::string_view line = text.substr(start, text.find('\n', end) - start);
  if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos) {
    return {mark, "this line is indented with a tab", "indent with spaces"};
  }
  if (error.msg.find("map value") != std::string::npos) {
    return {mark, "a ':' stands where no value can begin",
            "check the indentation of this line and the one before; put text that contains ': ' "
            "into quotes"};
  }
  if (error.msg.find("sequence flow") != std::string::npos) {
    return {mark, "a list that '[' began does not end where it should", "close it with ']'"};
  }
  if (error.msg.find("map flow") != std::string::npos) {
    return {mark, "a map that '{' began does not end where it should", "close it with '}'"};
  }
  if (error.msg.find("anchor is not defined") != std::string::npos) {
    return {mark, "this alias is not defined before",
            "define it with &name; text that starts with '*' needs quotes"};
  }
  return {mark, fmt::format("this is not YAML: {}", error.msg),
          "check indentation, brackets and quotes"};
}

[[noreturn]] void throw_syntax(SyntaxError error, const std::string& name) {
  throw core::InputError({core::Diagnostic{core::Severity::error,
                                           {},
                                           std::move(error.message),
                                           std::move(error.remedy),
                                           name,
                                           error.mark.line,
                                           error.mark.column}});
}

}  // namespace

const Entry* Node::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const Node& resolved(const Node& node) {
  return node.kind == NodeKind::alias ? *node.target : node;
}

Node* parse_into(Tree& tree,
                 std::string_view text,
                 const std::string& name,
                 core::Diagnostics& diagnostics) {
  if (std::optional<core::Diagnostic> refusal = check_text(text)) {
    refusal->file = name;
    throw core::InputError({*refusal});
  }
  tree.sources.push_back({name});
  TreeBuilder builder(tree, text, diagnostics);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    // A second call only finds out whether something follows; the builder then throws.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (SyntaxError& error) {
    throw_syntax(std::move(error), name);
  } catch (const YAML::Exception& error) {
    throw_syntax(explained(error, text), name);
  }
  return builder.root();
}

Tree parse_tree(std::string text, const std::string& name, core::Diagnostics& diagnostics) {
  Tree tree;
  tree.text = normalised_lines(std::move(text));
  tree.root = parse_into(tree, tree.text, name, diagnostics);
  return tree;
}

}  // namespace trammel::io
