// Ways to write formulas: plain text for terminals, LaTeX for papers, MathML for browsers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::symbolic {

class Notation {
 public:
  virtual ~Notation() = default;
  /// Six digits.
  virtual std::string number(double value) const = 0;
  /// x_2, with so many dots for derivatives by time.
  virtual std::string variable(std::string_view letter, std::string_view index, int dots) const = 0;
  virtual std::string power(const std::string& base, int exponent) const = 0;
  virtual std::string function(std::string_view name, const std::string& argument) const = 0;
  virtual std::string root(const std::string& argument) const = 0;
  virtual std::string fraction(const std::string& over, const std::string& under) const = 0;
  virtual std::string in_parentheses(const std::string& text) const = 0;
  /// Words of the model file: formulas and names.
  virtual std::string words(std::string_view text) const = 0;
  virtual std::string product(const std::vector<std::string>& factors) const = 0;
  virtual std::string plus() const = 0;
  virtual std::string minus() const = 0;
  /// Before the first summand.
  virtual std::string negative() const = 0;
  virtual std::string equals() const = 0;
};

std::unique_ptr<Notation> plain_notation();
std::unique_ptr<Notation> latex_notation();
std::unique_ptr<Notation> mathml_notation();

}  // namespace trammel::symbolic
