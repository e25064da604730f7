#include "trammel/symbolic/notation.h"

#include <fmt/format.h>

namespace trammel::symbolic {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

class Plain final : public Notation {
 public:
  std::string number(double value) const override { return fmt::format("{:.6g}", value); }
  std::string variable(std::string_view letter, std::string_view index, int dots) const override {
    const bool is_number = !index.empty() && index.front() >= '0' && index.front() <= '9';
    return fmt::format("{}{}{}{}", letter, is_number || index.empty() ? "" : "_", index,
                       std::string(static_cast<std::size_t>(dots), '\''));
  }
  std::string power(const std::string& base, int exponent) const override {
    return fmt::format("{}^{}", base, exponent);
  }
  std::string function(std::string_view name, const std::string& argument) const override {
    return fmt::format("{}({})", name, argument);
  }
  std::string root(const std::string& argument) const override {
    return fmt::format("sqrt({})", argument);
  }
  std::string fraction(const std::string& over, const std::string& under) const override {
    return fmt::format("{}/{}", over, under);
  }
  std::string in_parentheses(const std::string& text) const override { return "(" + text + ")"; }
  std::string words(std::string_view text) const override { return std::string(text); }
  std::string product(const std::vector<std::string>& factors) const override {
    return joined(factors, " ");
  }
  std::string plus() const override { return " + "; }
  std::string minus() const override { return " - "; }
  std::string negative() const override { return "-"; }
  std::string equals() const override { return " = "; }
};

class Latex final : public Notation {
 public:
  std::string number(double value) const override {
    const std::string text = fmt::format("{:.6g}", value);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, exponent),
                       std::stoi(text.substr(exponent + 1)));
  }
  std::string variable(std::string_view letter, std::string_view index, int dots) const override {
    std::string text(letter == "lambda" ? "\\lambda" : letter);
    if (dots == 1) text = fmt::format("\\dot{{{}}}", text);
    if (dots == 2) text = fmt::format("\\ddot{{{}}}", text);
    if (index.empty()) return text;
    const bool is_number = index.front() >= '0' && index.front() <= '9';
    return fmt::format("{}_{{{}}}", text, is_number ? std::string(index) : roman(index));
  }
  std::string power(const std::string& base, int exponent) const override {
    return fmt::format("{}^{{{}}}", base, exponent);
  }
  std::string function(std::string_view name, const std::string& argument) const override {
    const bool single = argument.find(' ') == std::string::npos;
    return single ? fmt::format("\\{} {}", name, argument)
                  : fmt::format("\\{}\\left({}\\right)", name, argument);
  }
  std::string root(const std::string& argument) const override {
    return fmt::format("\\sqrt{{{}}}", argument);
  }
  std::string fraction(const std::string& over, const std::string& under) const override {
    return fmt::format("\\frac{{{}}}{{{}}}", over, under);
  }
  std::string in_parentheses(const std::string& text) const override {
    return fmt::format("\\left({}\\right)", text);
  }
  std::string words(std::string_view text) const override {
    return fmt::format("\\texttt{{{}}}", escaped(text));
  }
  std::string product(const std::vector<std::string>& factors) const override {
    return joined(factors, " \\, ");
  }
  std::string plus() const override { return " + "; }
  std::string minus() const override { return " - "; }
  std::string negative() const override { return "-"; }
  std::string equals() const override { return " = "; }

 private:
  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
      switch (c) {
        case '\\':
          result += "\\textbackslash{}";
          break;
        case '^':
          result += "\\^{}";
          break;
        case '~':
          result += "\\~{}";
          break;
        case '{':
        case '}':
        case '_':
        case '%':
        case '$':
        case '#':
        case '&':
          result += '\\';
          [[fallthrough]];
        default:
          result += c;
      }
    }
    return result;
  }
  static std::string roman(std::string_view text) {
    return fmt::format("\\mathrm{{{}}}", escaped(text));
  }
};

class MathMl final : public Notation {
 public:
  std::string number(double value) const override {
    const std::string text = fmt::format("{:.6g}", value);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return fmt::format("<mn>{}</mn>", text);
    return fmt::format("<mn>{}</mn><mo>\u00b7</mo><msup><mn>10</mn><mn>{}</mn></msup>",
                       text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
  }
  std::string variable(std::string_view letter, std::string_view index, int dots) const override {
    std::string text = fmt::format("<mi>{}</mi>", letter == "lambda" ? "\u03bb" : letter);
    if (dots > 0) {
      text = fmt::format("<mover>{}<mo>{}</mo></mover>", text, dots == 1 ? "\u02d9" : "\u00a8");
    }
    if (index.empty()) return text;
    const bool is_number = index.front() >= '0' && index.front() <= '9';
    return fmt::format("<msub>{0}<{1}>{2}</{1}></msub>", text, is_number ? "mn" : "mtext",
                       escaped(index));
  }
  std::string power(const std::string& base, int exponent) const override {
    return fmt::format("<msup><mrow>{}</mrow><mn>{}</mn></msup>", base, exponent);
  }
  std::string function(std::string_view name, const std::string& argument) const override {
    return fmt::format("<mi>{}</mi><mo>\u2061</mo>{}", name, in_parentheses(argument));
  }
  std::string root(const std::string& argument) const override {
    return fmt::format("<msqrt>{}</msqrt>", argument);
  }
  std::string fraction(const std::string& over, const std::string& under) const override {
    return fmt::format("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", over, under);
  }
  std::string in_parentheses(const std::string& text) const override {
    return fmt::format("<mrow><mo>(</mo>{}<mo>)</mo></mrow>", text);
  }
  std::string words(std::string_view text) const override {
    return fmt::format("<mtext>{}</mtext>", escaped(text));
  }
  std::string product(const std::vector<std::string>& factors) const override {
    return joined(factors, "<mo>\u2062</mo>");
  }
  std::string plus() const override { return "<mo>+</mo>"; }
  std::string minus() const override { return "<mo>\u2212</mo>"; }
  std::string negative() const override { return "<mo>\u2212</mo>"; }
  std::string equals() const override { return "<mo>=</mo>"; }

 private:
  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '&') {
        result += "&amp;";
      } else if (c == '<') {
        result += "&lt;";
      } else if (c == '>') {
        result += "&gt;";
      } else {
        result += c;
      }
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Notation> plain_notation() {
  return std::make_unique<Plain>();
}

std::unique_ptr<Notation> latex_notation() {
  return std::make_unique<Latex>();
}

std::unique_ptr<Notation> mathml_notation() {
  return std::make_unique<MathMl>();
}

}  // namespace trammel::symbolic
