// Connections of a model and of its sub-assemblies.
#include <fmt/format.h>

#include "trammel/io/connection_reader.h"
#include "trammel/io/item_reader.h"
#include "trammel/io/moved_values.h"
#include "trammel/io/parts_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/model/connections/active_elements.h"

namespace trammel::io {

void PartsReader::read_connections(const Scope& names,
                                   const Scope& home,
                                   const Node& map,
                                   const Path& base,
                                   const Resolver& resolver) {
  const Entry* list = map.find("connections");
  const Path path{&base, "connections"};
  if (list == nullptr ||
      !is_named_map(reader_, *list->value, path, "mount: {nodes: ..., elements: ...}")) {
    return;
  }
  const std::vector<Kind> kinds = element_kinds(vocabulary_);
  const Node& connections = resolved(*list->value);
  for (const Entry& entry : connections.entries) {
    const std::string name = names.prefix + entry.key;
    const Path item_path{&path, name};
    if (!reader_.check_name(connections, entry, item_path)) continue;
    note_place("connections", names, entry);
    if (home.transform.is_mirrored()) {
      reader_.error(*entry.value, item_path, "a connection cannot be mirrored",
                    "describe this side without 'mirror'");
      continue;
    }
    SectionReader section(reader_, *entry.value, item_path, find_section("connection"));
    model::Connection connection;
    connection.name = entry.key;
    if (const Node* nodes = section.find("nodes")) {
      connection.nodes = read_internal_nodes(reader_, *nodes, Path{&item_path, "nodes"});
    }
    for (model::InternalNode& node : connection.nodes) {
      node.position = home.transform.point(node.position);
      node.force = home.transform.vector(node.force);
      node.orientation = home.transform.turn;
      node.stated_turn = home.transform.turn.conjugate() * home.transform.stated_turn;
    }
    std::vector<const Kind*> element_types;
    if (const Node* elements = section.find("elements")) {
      read_items(
          reader_, *elements, Path{&item_path, "elements"}, "", find_section("element"), kinds,
          [&](model::Item item, const Kind& kind, const Entry& element, const Path& element_path) {
            const std::size_t before = connection.elements.size();
            if (kind.attachments == 1) move_values(home.transform, kind, "force", item.values);
            take_element(std::move(item), home, element, element_path, resolver, connection);
            if (connection.elements.size() > before) element_types.push_back(&kind);
          });
    }
    // First the names of the connection itself, then those of the copy.
    if (!names.prefix.empty()) {
      for (std::size_t i = 0; i < element_types.size(); ++i) {
        model::Values& values = connection.elements[i].values;
        model::qualify_names(connection, element_types[i]->fields, values);
        set_names(*element_types[i], names.prefix, values);
      }
    }
    connection.coordinates = section.texts("coordinates").value_or(std::vector<std::string>{});
    connection.name = name;
    description_->add_connection(std::move(connection));
  }
}

void PartsReader::take_element(model::Item item,
                               const Scope& home,
                               const Entry& entry,
                               const Path& path,
                               const Resolver& resolver,
                               model::Connection& connection) {
  if (!resolve_attachments(item, entry, path, resolver, connection.nodes)) return;
  if (item.at && home.transform.is_shift()) {
    item.at = home.transform.point(*item.at);
  } else if (item.at) {
    reader_.error(*resolved(*entry.value).find("at")->value, Path{&path, "at"},
                  "an element with 'at' cannot be turned with its sub-assembly",
                  "name frames and put the internal nodes at the points, or do not turn 'place'");
  }
  connection.elements.push_back(std::move(item));
}

}  // namespace trammel::io
