#include "trammel/io/json.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/json_string.h"

namespace trammel::io {
namespace {

constexpr std::size_t widest_json = 100;

}  // namespace

Json Json::texts(const std::vector<std::string>& list) {
  Array array;
  for (const std::string& text : list) array.emplace_back(text);
  return array;
}

Json& Json::operator[](const std::string& name) {
  auto& members = std::get<Object>(value_);
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const auto& member) { return member.first == name; });
  if (found != members.end()) return found->second;
  return members.emplace_back(name, Json()).second;
}

void Json::push_back(Json value) {
  if (const auto* members = std::get_if<Object>(&value_); members != nullptr && members->empty()) {
    value_ = Array{};
  }
  std::get<Array>(value_).push_back(std::move(value));
}

std::string Json::on_one_line() const {
  if (const auto* number = std::get_if<int>(&value_)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value_)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value_)) return core::json_string(*text);
  std::string inside;
  if (const auto* array = std::get_if<Array>(&value_)) {
    for (const Json& each : *array) inside += (inside.empty() ? "" : ", ") + each.on_one_line();
    return "[" + inside + "]";
  }
  for (const auto& [name, value] : std::get<Object>(value_)) {
    inside += (inside.empty() ? "" : ", ") + core::json_string(name) + ": " + value.on_one_line();
  }
  return "{" + inside + "}";
}

void Json::write(std::string& text, std::size_t indent) const {
  const std::size_t line_start = text.rfind('\n') + 1;
  const std::string line = on_one_line();
  const auto* array = std::get_if<Array>(&value_);
  const auto* object = std::get_if<Object>(&value_);
  if (text.size() - line_start + line.size() < widest_json ||
      (array == nullptr && object == nullptr)) {
    text += line;
    return;
  }
  const std::string next_line = ",\n" + std::string(indent + 2, ' ');
  text += array != nullptr ? '[' : '{';
  bool first = true;
  const auto start_item = [&] {
    text += std::exchange(first, false) ? next_line.substr(1) : next_line;
  };
  if (array != nullptr) {
    for (const Json& each : *array) {
      start_item();
      each.write(text, indent + 2);
    }
  } else {
    for (const auto& [name, value] : *object) {
      start_item();
      text += core::json_string(name) + ": ";
      value.write(text, indent + 2);
    }
  }
  text += '\n';
  text.append(indent, ' ');
  text += array != nullptr ? ']' : '}';
}

std::string Json::written() const {
  std::string text;
  write(text, 0);
  return text + "\n";
}

}  // namespace trammel::io
