#include "trammel/model/connections/active_elements.h"

#include <algorithm>

#include "trammel/expression/scanner.h"
#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

// Names of the connection get its own name before them.
class Scope {
 public:
  explicit Scope(const Connection& connection) : connection_(connection) {}

  std::string full(std::string_view name) const {
    const std::string_view first = name.substr(0, name.find('.'));
    const auto called = [&](const auto& part) { return part.name == first; };
    const bool own = std::any_of(connection_.nodes.begin(), connection_.nodes.end(), called) ||
                     std::any_of(connection_.elements.begin(), connection_.elements.end(), called);
    return own ? connection_.name + "." + std::string(name) : std::string(name);
  }

  std::string full_formula(std::string_view formula) const {
    return expression::with_names_replaced(formula,
                                           [&](std::string_view name) { return full(name); });
  }

  void complete(FieldKind kind, Value& value) const {
    if (auto* text = std::get_if<std::string>(&value)) {
      if (kind == FieldKind::quantity) *text = full(*text);
      if (kind == FieldKind::formula) *text = full_formula(*text);
    }
    if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
      for (std::string& text : *list) {
        text = kind == FieldKind::quantities ? full(text) : full_formula(text);
      }
    }
  }

 private:
  const Connection& connection_;
};

}  // namespace

void qualify_names(const Connection& connection, const std::vector<Field>& fields, Values& values) {
  const Scope scope(connection);
  for (const Field& field : fields) {
    const auto value = values.find(field.name);
    if (value != values.end()) scope.complete(field.kind, value->second);
  }
}

std::vector<ActiveElement> active_elements(const Description& description) {
  std::vector<ActiveElement> list;
  for (const Connection& connection : description.connections) {
    const Scope scope(connection);
    for (const Item& element : connection.elements) {
      const ForceKind* kind = find_force_kind(description.space, element.type);
      if (kind == nullptr || kind->laws == nullptr) continue;
      ActiveElement active{element, connection.name,
                           "connections." + connection.name + ".elements." + element.name};
      active.item.name = connection.name + "." + element.name;
      for (std::string& name : active.item.attachments) name = scope.full(name);
      qualify_names(connection, kind->fields, active.item.values);
      list.push_back(std::move(active));
    }
  }
  return list;
}

}  // namespace trammel::model
