#include "trammel/io/connection_reader.h"

#include "trammel/io/item_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {
namespace {

std::vector<model::InternalNode> read_nodes(Reader& reader, const Node& node, const Path& path) {
  std::vector<model::InternalNode> list;
  if (!is_named_map(reader, node, path, "middle: {position: [0, 0, 1]}")) return list;
  const Node& map = resolved(node);
  for (const Entry& entry : map.entries) {
    const Path node_path{&path, entry.key};
    if (!reader.check_name(map, entry, node_path)) continue;
    SectionReader section(reader, *entry.value, node_path, find_section("internal_node"));
    model::InternalNode internal;
    internal.name = entry.key;
    internal.position = section.vector("position").value_or(internal.position);
    internal.force = section.vector("force").value_or(internal.force);
    list.push_back(std::move(internal));
  }
  return list;
}

}  // namespace

void read_connections(Reader& reader,
                      const Node& node,
                      const Path& path,
                      const Vocabulary& vocabulary,
                      model::Description& description) {
  if (!is_named_map(reader, node, path, "mount: {nodes: ..., elements: ...}")) return;
  const std::vector<Kind> kinds = element_kinds(vocabulary);
  const Node& map = resolved(node);
  for (const Entry& entry : map.entries) {
    const Path item_path{&path, entry.key};
    if (!reader.check_name(map, entry, item_path)) continue;
    const SectionReader section(reader, *entry.value, item_path, find_section("connection"));
    model::Connection connection;
    connection.name = entry.key;
    if (const Node* nodes = section.find("nodes")) {
      connection.nodes = read_nodes(reader, *nodes, Path{&item_path, "nodes"});
    }
    if (const Node* elements = section.find("elements")) {
      read_items(reader, *elements, Path{&item_path, "elements"}, "", find_section("element"),
                 kinds, [&](model::Item item, const Kind&, const Entry&, const Path&) {
                   connection.elements.push_back(std::move(item));
                 });
    }
    description.add_connection(std::move(connection));
  }
}

}  // namespace trammel::io
