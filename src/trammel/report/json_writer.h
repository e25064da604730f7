// JSON text, written from front to back.
//
// The text may stand inside a <script> element: '<', '>', '&' and the line separators U+2028 and
// U+2029 are written as escapes, so that no name or comment of a model can end the element. Bytes
// that are no UTF-8 become U+FFFD. Numbers that JSON does not know (NaN, infinity) become null.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace trammel::report {

class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(double number);
  template <std::integral T>
  void value(T number) {
    if constexpr (std::same_as<T, bool>) {
      raw(number ? "true" : "false");
    } else {
      raw(std::to_string(number));
    }
  }
  void value(const Eigen::Ref<const Eigen::VectorXd>& numbers);
  /// Text that is JSON already.
  void raw(std::string_view json);

  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);

  std::string text_;
  bool first_ = true;  ///< nothing stands in the innermost bracket yet
  bool after_key_ = false;
};

/// The text in double quotes, safe inside a <script> element.
std::string quoted(std::string_view text);

/// Text for the content of an HTML element or an attribute in double quotes.
std::string escaped_html(std::string_view text);

}  // namespace trammel::report
