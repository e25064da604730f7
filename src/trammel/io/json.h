// A JSON value that can be written; objects keep the order of their members.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trammel::io {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() : value_(Object{}) {}
  Json(int value) : value_(value) {}
  Json(bool value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  /// An array of texts.
  static Json texts(const std::vector<std::string>& list);

  /// The member of an object with this name, added at the end when it is new.
  Json& operator[](const std::string& name);
  /// Appends to an array; an empty object becomes an array.
  void push_back(Json value);

  /// Indented by two blanks per level; arrays and objects that fit into 100 columns stay in a line.
  std::string written() const;

 private:
  void write(std::string& text, std::size_t indent) const;
  std::string on_one_line() const;

  std::variant<int, bool, std::string, Array, Object> value_;
};

}  // namespace trammel::io
