// Active elements of connections, as forces of the whole model.
#pragma once

#include <vector>

#include "trammel/model/description.h"

namespace trammel::model {

struct ActiveElement {
  /// Called "mount.motor", between "mount.hub" and bodies, with formulas that name nodes, elements
  /// and states of the connection in full.
  Item item;
  std::string connection;
  std::string path;  ///< "connections.mount.elements.motor"
};

/// Elements that are written as formulas, of all energetic connections.
std::vector<ActiveElement> active_elements(const Description& description);

/// Names of the connection's nodes and elements among the values get its name before them.
void qualify_names(const Connection& connection, const std::vector<Field>& fields, Values& values);

}  // namespace trammel::model
