#include "trammel/io/connection_reader.h"

#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {

std::vector<model::InternalNode> read_internal_nodes(Reader& reader,
                                                     const Node& node,
                                                     const Path& path) {
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

}  // namespace trammel::io
