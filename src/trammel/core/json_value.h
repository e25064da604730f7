// JSON text that somebody else wrote (RFC 8259), as a tree of values.
//
// Asking for what is not there gives an empty answer instead of an error: value["a"][3]["b"] is a
// null when any step of the way is missing, so that optional members need no ceremony.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trammel::core {

class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;

  JsonValue() = default;
  JsonValue(bool value) : value_(value) {}
  JsonValue(double value) : value_(value) {}
  JsonValue(std::string value) : value_(std::move(value)) {}
  JsonValue(Array value) : value_(std::move(value)) {}
  JsonValue(Object value) : value_(std::move(value)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_number() const { return std::holds_alternative<double>(value_); }

  /// The first member with this name; a null when there is none or this is no object.
  const JsonValue& operator[](std::string_view name) const;
  /// An element; a null when there is none or this is no array.
  const JsonValue& operator[](std::size_t index) const;

  /// The elements; none unless this is an array.
  const Array& array() const;
  /// The members; none unless this is an object.
  const Object& object() const;
  std::size_t size() const { return array().size(); }
  double number(double fallback = 0.0) const;
  /// A whole number from 0 up; the fallback for anything else.
  std::size_t index(std::size_t fallback) const;
  bool flag(bool fallback = false) const;
  /// Empty unless this is a text.
  const std::string& text() const;

 private:
  std::variant<std::monostate, bool, double, std::string, Array, Object> value_;
};

/// Throws InputError, with line and column, for text that is no JSON or nested more than 64 levels.
JsonValue parse_json(std::string_view text);

}  // namespace trammel::core
