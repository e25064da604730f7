#include "trammel/model/quantity_list.h"

namespace trammel::model {

std::vector<Quantity> quantities_of(ObservableChoice choice) {
  std::vector<Quantity> list;
  list.reserve(choice.chosen.size());
  for (Observable& each : choice.chosen) list.push_back(std::move(each.quantity));
  return list;
}

void QuantityList::add(std::initializer_list<std::string_view> name,
                       std::string_view unit,
                       std::string_view frame,
                       std::string_view description) {
  const std::size_t number = choice_.total++;
  if (!telling_) return;
  Observable& made = choice_.chosen.emplace_back();
  made.number = number;
  std::size_t length = 0;
  for (const std::string_view piece : name) length += piece.size();
  made.quantity.name.reserve(length);
  for (const std::string_view piece : name) made.quantity.name += piece;
  made.quantity.unit = unit;
  made.quantity.frame = frame;
  made.quantity.description = description;
}

void QuantityList::add_components(std::string_view owner,
                                  std::string_view name,
                                  int count,
                                  std::string_view unit,
                                  std::string_view frame,
                                  std::string_view description) {
  static constexpr std::array<std::string_view, 3> axes{".x", ".y", ".z"};
  for (int i = 0; i < count; ++i) {
    add({owner, name, axes[static_cast<std::size_t>(i)]}, unit, frame, description);
  }
}

void QuantityList::add_all(const std::vector<Quantity>& quantities,
                           std::array<std::string_view, 2> before) {
  for (const Quantity& each : quantities) {
    add({before[0], before[1], each.name}, each.unit, each.frame, each.description);
  }
}

}  // namespace trammel::model
