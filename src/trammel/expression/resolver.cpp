#include "trammel/expression/resolver.h"

#include <utility>

namespace trammel::expression {
namespace {

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

Symbol Symbol::constant(const Quantity& quantity) {
  return {Kind::constant, quantity, 0, quantity.type()};
}

Symbol Symbol::input(std::size_t id, const core::Dimension& dimension) {
  return {Kind::input, {}, id, {dimension, false, false, false}};
}

void Scope::add_constant(std::string name, const Quantity& quantity) {
  symbols_.insert_or_assign(std::move(name), Symbol::constant(quantity));
}

std::size_t Scope::add_input(std::string name, const core::Dimension& dimension) {
  symbols_.insert_or_assign(std::move(name), Symbol::input(input_count_, dimension));
  return input_count_++;
}

void Scope::add_table(std::shared_ptr<const Table> table) {
  const std::string name = table->name();
  tables_.insert_or_assign(name, std::move(table));
}

void Scope::add_function(std::shared_ptr<const UserFunction> function) {
  const std::string name = function->name();
  functions_.insert_or_assign(name, std::move(function));
}

std::optional<Symbol> Scope::find(std::string_view name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Scope::names() const {
  return keys_of(symbols_);
}

std::shared_ptr<const Table> Scope::find_table(std::string_view name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

std::vector<std::string> Scope::table_names() const {
  return keys_of(tables_);
}

std::shared_ptr<const UserFunction> Scope::find_function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

std::vector<std::string> Scope::user_function_names() const {
  return keys_of(functions_);
}

}  // namespace trammel::expression
