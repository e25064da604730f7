#include "trammel/core/json_value.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::core {
namespace {

constexpr int deepest = 64;

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80U) {
    byte(code);
  } else if (code < 0x800U) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonValue parse() {
    JsonValue result = value(0);
    skip_blanks();
    if (at_ < text_.size()) fail("text follows after the end of the value");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw InputError(fmt::format("line {}, column {}: {}", line, before.size() - start + 1, what),
                     "this is no JSON (RFC 8259); write the file again");
  }

  void skip_blanks() { at_ = std::min(text_.size(), text_.find_first_not_of(" \t\r\n", at_)); }
  char peek() {
    skip_blanks();
    if (at_ >= text_.size()) fail("the text ends early");
    return text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}' is missing", c));
  }
  JsonValue word(std::string_view name, JsonValue meaning) {
    if (text_.substr(at_, name.size()) != name) fail("a value is missing");
    at_ += name.size();
    return meaning;
  }

  JsonValue value(int depth) {
    if (depth > deepest) fail(fmt::format("it is nested more than {} levels deep", deepest));
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", {});
      default:
        return number();
    }
  }

  JsonValue object(int depth) {
    JsonValue::Object members;
    expect('{');
    if (take('}')) return members;
    do {
      if (peek() != '"') fail("the name of a member is missing");
      std::string name = string();
      expect(':');
      members.emplace_back(std::move(name), value(depth + 1));
    } while (take(','));
    expect('}');
    return members;
  }

  JsonValue array(int depth) {
    JsonValue::Array elements;
    expect('[');
    if (take(']')) return elements;
    do {
      elements.push_back(value(depth + 1));
    } while (take(','));
    expect(']');
    return elements;
  }

  JsonValue number() {
    double result = 0.0;
    const char* begin = text_.data() + at_;
    const bool plain = *begin == '-' || (*begin >= '0' && *begin <= '9');
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), result);
    if (!plain || error == std::errc::invalid_argument) fail("a value is missing");
    at_ += static_cast<std::size_t>(end - begin);
    return result;
  }

  std::string string() {
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"';) {
      // Whole stretches at once: texts may hold megabytes.
      const std::size_t end = std::min(text_.size(), text_.find_first_of("\"\\", at_));
      result.append(text_.substr(at_, end - at_));
      at_ = end;
      if (at_ < text_.size() && text_[at_] == '\\') escape(result);
    }
    if (at_ >= text_.size()) fail("a text has no end");
    ++at_;
    return result;
  }

  void escape(std::string& result) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char name = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (name == 'u') {
      append_utf8(result, unicode());
      return;
    }
    const std::size_t which = names.find(name);
    if (name == '\0' || which == std::string_view::npos)
      fail("'\\' is followed by an unknown letter");
    result += meanings[which];
    at_ += 2;
  }

  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    const char* begin = text_.data() + std::min(at_ + 2, text_.size());
    const char* end = text_.data() + std::min(at_ + 6, text_.size());
    const auto [stop, error] = std::from_chars(begin, end, code, 16);
    if (error != std::errc() || stop != begin + 4) fail("'\\u' needs four hexadecimal digits");
    at_ += 6;
    return code;
  }

  std::uint32_t unicode() {
    const std::uint32_t code = four_digits();
    const bool leads = code >= 0xD800U && code < 0xDC00U;
    if (leads && text_.substr(at_, 2) == "\\u") {
      const std::uint32_t low = four_digits();
      if (low >= 0xDC00U && low < 0xE000U) {
        return 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
      }
      return 0xFFFDU;
    }
    return code >= 0xD800U && code < 0xE000U ? 0xFFFDU : code;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view name) const {
  static const JsonValue nothing;
  const auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nothing;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [&](const auto& member) { return member.first == name; });
  return found == members->end() ? nothing : found->second;
}

const JsonValue& JsonValue::operator[](std::size_t index) const {
  static const JsonValue nothing;
  const Array& elements = array();
  return index < elements.size() ? elements[index] : nothing;
}

const JsonValue::Object& JsonValue::object() const {
  static const Object none;
  const auto* object = std::get_if<Object>(&value_);
  return object != nullptr ? *object : none;
}

const JsonValue::Array& JsonValue::array() const {
  static const Array none;
  const auto* elements = std::get_if<Array>(&value_);
  return elements == nullptr ? none : *elements;
}

double JsonValue::number(double fallback) const {
  const auto* value = std::get_if<double>(&value_);
  return value == nullptr ? fallback : *value;
}

std::size_t JsonValue::index(std::size_t fallback) const {
  constexpr double largest = 9007199254740992.0;  // 2^53: whole numbers are exact up to there
  const double value = number(-1.0);
  if (!(value >= 0.0 && value <= largest)) return fallback;
  const auto whole = static_cast<std::size_t>(value);
  return static_cast<double>(whole) == value ? whole : fallback;
}

bool JsonValue::flag(bool fallback) const {
  const auto* value = std::get_if<bool>(&value_);
  return value == nullptr ? fallback : *value;
}

const std::string& JsonValue::text() const {
  static const std::string none;
  const auto* value = std::get_if<std::string>(&value_);
  return value == nullptr ? none : *value;
}

JsonValue parse_json(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace trammel::core
