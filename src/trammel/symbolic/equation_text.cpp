#include "trammel/symbolic/equation_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trammel::symbolic {
namespace {

/// A sum that is written summand by summand.
class Sum {
 public:
  explicit Sum(const Notation& notation) : notation_(notation) {}

  /// coefficient times the factors.
  void add(double coefficient, const std::vector<std::string>& factors) {
    if (coefficient == 0.0) return;
    std::vector<std::string> all = factors;
    const double size = std::abs(coefficient);
    if (all.empty() || notation_.number(size) != notation_.number(1.0)) {
      all.insert(all.begin(), notation_.number(size));
    }
    const std::string sign = coefficient < 0.0
                                 ? (pieces_.empty() ? notation_.negative() : notation_.minus())
                                 : (pieces_.empty() ? std::string{} : notation_.plus());
    pieces_.push_back(sign + notation_.product(all));
  }
  /// "= right", also where the left side is empty.
  void equate(const Sum& right) {
    if (pieces_.empty()) pieces_.push_back(notation_.number(0.0));
    pieces_.push_back(notation_.equals() + right.text());
  }
  std::string text() const {
    return pieces_.empty() ? notation_.number(0.0)
                           : fmt::format("{}", fmt::join(pieces_, std::string_view{}));
  }
  BrokenLine pieces() const { return pieces_; }

 private:
  const Notation& notation_;
  BrokenLine pieces_;
};

class Writer {
 public:
  Writer(const Equations& equations, const Notation& notation)
      : equations_(equations), notation_(notation) {}

  WrittenEquations write() {
    WrittenEquations result;
    for (int k = 0; k < equations_.size(); ++k) result.motion.push_back(equation(k));
    for (const Row& row : equations_.rows) result.constraints.push_back(constraint(row));
    for (const Load& load : equations_.loads) explain(load, result.loads);
    return result;
  }

 private:
  std::string x(int k, int dots = 0) const {
    return notation_.variable("q", std::to_string(k + 1), dots);
  }

  // k_1 x_1 + k_2 x_2 + ...
  std::string angle(const std::vector<int>& harmonics) const {
    Sum sum(notation_);
    for (std::size_t i = 0; i < harmonics.size(); ++i) {
      sum.add(harmonics[i], {x(static_cast<int>(i))});
    }
    return sum.text();
  }

  std::vector<std::string> factors(const Factor& factor) const {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < factor.powers.size(); ++i) {
      const int power = factor.powers[i];
      const std::string base = x(static_cast<int>(i));
      if (power > 0) list.push_back(power == 1 ? base : notation_.power(base, power));
    }
    if (factor.is_periodic()) {
      list.push_back(notation_.function(factor.sine ? "sin" : "cos", angle(factor.harmonics)));
    }
    return list;
  }

  std::string text(const Polynomial& polynomial) const {
    Sum sum(notation_);
    for (const auto& [factor, coefficient] : polynomial.terms()) {
      sum.add(coefficient, factors(factor));
    }
    return sum.text();
  }

  // polynomial times what stands behind it: in parentheses if it has several terms.
  void add(Sum& sum, double sign, const Polynomial& polynomial, std::vector<std::string> behind) {
    if (polynomial.is_zero()) return;
    if (polynomial.terms().size() == 1 || behind.empty()) {
      for (const auto& [factor, coefficient] : polynomial.terms()) {
        std::vector<std::string> all = factors(factor);
        all.insert(all.end(), behind.begin(), behind.end());
        sum.add(sign * coefficient, all);
      }
      return;
    }
    // A common minus goes before the parentheses.
    const bool negative = std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                                      [](const auto& term) { return term.second < 0.0; });
    behind.insert(behind.begin(),
                  notation_.in_parentheses(text(negative ? -1.0 * polynomial : polynomial)));
    sum.add(negative ? -sign : sign, behind);
  }

  BrokenLine equation(int k) {
    Sum sum(notation_);
    const int n = equations_.size();
    for (int j = 0; j < n; ++j) add(sum, 1.0, equations_.mass[at(k)][at(j)], {x(j, 2)});
    for (int i = 0; i < n; ++i) {
      const auto& form = equations_.velocity_terms[at(k)];
      add(sum, 1.0, form[at(i)][at(i)], {notation_.power(x(i, 1), 2)});
      for (int j = i + 1; j < n; ++j) add(sum, 1.0, 2.0 * form[at(i)][at(j)], {x(i, 1), x(j, 1)});
    }
    add(sum, 1.0, equations_.weight[at(k)], {});
    for (std::size_t r = 0; r < equations_.rows.size(); ++r) {
      add(sum, 1.0, equations_.rows[r].by_x[at(k)],
          {notation_.variable("lambda", std::to_string(r + 1), 0)});
    }
    Sum right(notation_);
    for (const Load& load : equations_.loads) add_load(right, load, k);
    sum.equate(right);
    return sum.pieces();
  }

  void add_load(Sum& sum, const Load& load, int k) {
    if (load.coordinate) {
      if (*load.coordinate == k) sum.add(1.0, {notation_.variable("F", load.name, 0)});
    } else if (load.line) {
      add(sum, -1.0, load.line->half_gradient[at(k)],
          {notation_.fraction(notation_.variable("F", load.name, 0),
                              notation_.variable("L", load.name, 0))});
    } else if (std::find(load.touches.begin(), load.touches.end(), k) != load.touches.end()) {
      sum.add(1.0, {notation_.variable("Q", fmt::format("{},{}", load.name, k + 1), 0)});
    }
  }

  BrokenLine constraint(const Row& row) {
    Sum sum(notation_);
    Sum right(notation_);
    if (row.motion.empty()) {
      add(sum, 1.0, row.g, {});
    } else {
      add(sum, 1.0, row.g, {});
      right.add(1.0, {notation_.words(row.motion)});
    }
    sum.equate(right);
    return sum.pieces();
  }

  // What the letters of a load stand for.
  void explain(const Load& load, std::vector<BrokenLine>& lines) {
    const auto letter = [&](std::string_view which, int dots = 0) {
      return notation_.variable(which, load.name, dots);
    };
    const auto tell = [&](const std::string& left, const Sum& right) {
      Sum sum(notation_);
      sum.add(1.0, {left});
      sum.equate(right);
      lines.push_back(sum.pieces());
    };
    const auto tell_words = [&](const std::string& left, const std::string& words) {
      Sum right(notation_);
      right.add(1.0, {notation_.words(words)});
      tell(left, right);
    };
    if (load.line) {
      Sum length(notation_);
      length.add(1.0, {notation_.root(text(load.line->squared_length))});
      tell(letter("L"), length);
      if (!load.line->spring) {
        tell_words(letter("F"), fmt::format("tension of the {} '{}'", load.kind, load.name));
        return;
      }
      const Line::Spring& spring = *load.line->spring;
      Sum extension(notation_);
      extension.add(1.0, {letter("L")});
      extension.add(-spring.length, {});
      Sum force(notation_);
      force.add(
          spring.stiffness,
          {spring.length == 0.0 ? extension.text() : notation_.in_parentheses(extension.text())});
      force.add(spring.damping, {letter("L", 1)});
      force.add(spring.preload, {});
      tell(letter("F"), force);
    } else if (load.coordinate) {
      tell_words(letter("F"), !load.formula.empty()
                                  ? load.formula
                                  : fmt::format("load of the {} '{}'", load.kind, load.name));
    } else if (!load.touches.empty()) {
      tell_words(notation_.variable("Q", load.name + ",k", 0),
                 fmt::format("share of the {} '{}' along q_k", load.kind, load.name));
    }
  }

  const Equations& equations_;
  const Notation& notation_;
};

// Pieces on lines of at most this width, those after the first indented.
std::string wrapped(const BrokenLine& pieces, std::size_t width) {
  std::string text;
  std::string line = "  ";
  for (const std::string& piece : pieces) {
    if (line.size() + piece.size() > width && line.size() > 4) {
      text += line + "\n";
      line = "     ";
    }
    line += piece;
  }
  return text + line + "\n";
}

}  // namespace

WrittenEquations written(const Equations& equations, const Notation& notation) {
  return Writer(equations, notation).write();
}

std::string as_text(const Equations& equations, std::size_t width) {
  const WrittenEquations parts = written(equations, *plain_notation());
  std::string text = "coordinates\n";
  for (int k = 0; k < equations.size(); ++k) {
    const Coordinate& coordinate = equations.coordinates[at(k)];
    text += fmt::format("  q{} = {} [{}]\n", k + 1, coordinate.name, coordinate.unit);
  }
  const auto add = [&](const char* title, const std::vector<BrokenLine>& lines) {
    if (lines.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (const BrokenLine& line : lines) text += wrapped(line, width);
  };
  add("equations of motion", parts.motion);
  add("constraints", parts.constraints);
  if (!equations.rows.empty()) {
    text += "\nmultipliers\n";
    for (std::size_t r = 0; r < equations.rows.size(); ++r) {
      text += fmt::format("  lambda{} of {}\n", r + 1, equations.rows[r].name);
    }
  }
  add("loads", parts.loads);
  return text;
}

std::string as_latex(const Equations& equations) {
  const WrittenEquations parts = written(equations, *latex_notation());
  std::string text;
  for (int k = 0; k < equations.size(); ++k) {
    const Coordinate& coordinate = equations.coordinates[at(k)];
    text += fmt::format("% q_{{{}}} = {} in {}\n", k + 1, coordinate.name, coordinate.unit);
  }
  for (std::size_t r = 0; r < equations.rows.size(); ++r) {
    text += fmt::format("% \\lambda_{{{}}} of {}\n", r + 1, equations.rows[r].name);
  }
  // About what fits between the margins of a page.
  constexpr std::size_t longest = 160;
  std::string body;
  const auto add = [&](const std::vector<BrokenLine>& lines) {
    for (const BrokenLine& pieces : lines) {
      std::size_t length = 0;
      body += body.empty() ? "  & " : " \\\\\n  & ";
      for (const std::string& piece : pieces) {
        if (length > 0 && length + piece.size() > longest) {
          body += " \\\\\n  & \\quad {}";
          length = 0;
        }
        body += piece;
        length += piece.size();
      }
    }
  };
  add(parts.motion);
  add(parts.constraints);
  add(parts.loads);
  return fmt::format("{}\\begin{{align*}}\n{}\n\\end{{align*}}\n", text, body);
}

std::vector<std::string> as_mathml(const Equations& equations) {
  const WrittenEquations parts = written(equations, *mathml_notation());
  std::vector<std::string> lines;
  for (const auto* group : {&parts.motion, &parts.constraints, &parts.loads}) {
    for (const BrokenLine& pieces : *group) {
      lines.push_back(fmt::format("<math>{}</math>", fmt::join(pieces, "</math><math>")));
    }
  }
  return lines;
}

}  // namespace trammel::symbolic
