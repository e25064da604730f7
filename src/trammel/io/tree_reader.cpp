#include "trammel/io/tree_reader.h"

#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {

model::TreeHints read_tree(Reader& reader, const Node& node, const Path& path) {
  model::TreeHints hints;
  SectionReader section(reader, node, path, find_section("tree"));
  hints.open = section.texts("open").value_or(hints.open);
  hints.keep = section.texts("keep").value_or(hints.keep);
  const Node* ties = section.find("tie");
  const Path tie{&path, "tie"};
  if (ties == nullptr || !is_named_map(reader, *ties, tie, "satellite: station")) return hints;
  for (const Entry& entry : resolved(*ties).entries) {
    const auto to = reader.text(*entry.value, Path{&tie, entry.key});
    if (to) hints.tie.push_back({entry.key, *to});
  }
  return hints;
}

}  // namespace trammel::io
