#include "trammel/model/tree_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

bool names_contain(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> possible_hinges(const Description& description) {
  std::vector<std::string> names;
  for (const Item& joint : description.joints) names.push_back(joint.name);
  for (const Connection& connection : description.connections) {
    if (!connection.elements.empty() &&
        find_joint_kind(description.space, connection.elements.front().type) != nullptr) {
      names.push_back(connection.name);
    }
  }
  return names;
}

}  // namespace

void check_tree_hints(const Description& description, core::Diagnostics& diagnostics) {
  const TreeHints& hints = description.tree;
  const std::vector<std::string> hinges = possible_hinges(description);
  for (const auto* list : {&hints.open, &hints.keep}) {
    const char* path = list == &hints.open ? "tree.open" : "tree.keep";
    for (const std::string& name : *list) {
      if (!names_contain(hinges, name)) {
        diagnostics.error(path, fmt::format("there is no joint or kinematic connection '{}'", name),
                          core::suggestion(name, hinges));
      }
    }
  }
  for (const std::string& name : hints.keep) {
    if (!names_contain(hints.open, name)) continue;
    diagnostics.error("tree.keep", fmt::format("'{}' is to be opened and kept", name),
                      "name it under 'open' or under 'keep'");
  }
  std::vector<std::string> bodies;
  for (const Body& body : description.bodies) bodies.push_back(body.name);
  for (const TreeHints::Tie& tie : hints.tie) {
    const std::string path = "tree.tie." + tie.body;
    if (!names_contain(bodies, tie.body)) {
      diagnostics.error(path, fmt::format("there is no body '{}'", tie.body),
                        core::suggestion(tie.body, bodies));
    }
    if (tie.to != "ground" && !names_contain(bodies, tie.to)) {
      diagnostics.error(path, fmt::format("there is no body '{}'", tie.to),
                        core::suggestion(tie.to, bodies));
    } else if (tie.to == tie.body) {
      diagnostics.error(path, "a body cannot be tied to itself", "name a body of another part");
    }
  }
}

}  // namespace trammel::model
