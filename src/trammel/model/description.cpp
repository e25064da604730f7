#include "trammel/model/description.h"

#include <utility>

namespace trammel::model {

Body& Description::add_body(Body body) {
  return bodies.emplace_back(std::move(body));
}

Item& Description::add_joint(
    std::string type, std::string item_name, std::string a, std::string b, Values values) {
  return joints.emplace_back(Item{.name = std::move(item_name),
                                  .type = std::move(type),
                                  .attachments = {std::move(a), std::move(b)},
                                  .at = std::nullopt,
                                  .values = std::move(values)});
}

Item& Description::add_force(std::string type,
                             std::string item_name,
                             std::vector<std::string> attachments,
                             Values values) {
  return forces.emplace_back(Item{.name = std::move(item_name),
                                  .type = std::move(type),
                                  .attachments = std::move(attachments),
                                  .at = std::nullopt,
                                  .values = std::move(values)});
}

Item& Description::add_coupling(std::string type, std::string name, Values values) {
  return couplings.emplace_back(
      Item{std::move(name), std::move(type), {}, std::nullopt, std::move(values)});
}

Item& Description::add_drive(std::string type, std::string name, Values values) {
  return drives.emplace_back(
      Item{std::move(name), std::move(type), {}, std::nullopt, std::move(values)});
}

Item& Description::add_sensor(std::string type,
                              std::string name,
                              std::vector<std::string> attachments,
                              Values values) {
  return sensors.emplace_back(Item{std::move(name), std::move(type), std::move(attachments),
                                   std::nullopt, std::move(values)});
}

StateVariable& Description::add_state(StateVariable state) {
  return states.emplace_back(std::move(state));
}

void Description::add_function(expression::UserFunction function) {
  functions.push_back(std::make_shared<const expression::UserFunction>(std::move(function)));
}

Connection& Description::add_connection(Connection connection) {
  connections.push_back(std::move(connection));
  return connections.back();
}

}  // namespace trammel::model
