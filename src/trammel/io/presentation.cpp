#include "trammel/io/presentation.h"

namespace trammel::io {
namespace {

const Node* value_under(const Node* map, std::string_view key) {
  if (map == nullptr) return nullptr;
  const Entry* entry = resolved(*map).find(key);
  return entry == nullptr ? nullptr : &resolved(*entry->value);
}

// A list of words, or a single one.
std::vector<std::string> words_of(const Node* node) {
  std::vector<std::string> words;
  if (node == nullptr) return words;
  if (node->kind == NodeKind::scalar) words.push_back(node->text);
  for (const Entry& entry : node->entries) words.push_back(resolved(*entry.value).text);
  return words;
}

}  // namespace

Presentation presentation_of(const ModelFile& file) {
  if (!file.tree) return {};
  const Node* report = value_under(file.tree->root, "report");
  return {words_of(value_under(report, "units")), words_of(value_under(report, "plots"))};
}

bool starts_at_rest(const ModelFile& file) {
  if (!file.tree) return false;
  const Node* start = value_under(file.tree->root, "start");
  return start != nullptr && start->text == "equilibrium";
}

}  // namespace trammel::io
