// From text to program.
//
//   expression = conjunction { "or" conjunction }
//   conjunction= negation { "and" negation }
//   negation   = "not" negation | comparison
//   comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
//   sum        = product { ( "+" | "-" ) product }
//   product    = factor { ( "*" | "/" ) factor }
//   factor     = [ "-" | "+" ] ( atom [ "^" factor ] ) { unit [ "^" factor ] }
//   atom       = number | unit | name | "pi" | "(" expression ")"
//              | function "(" expression { "," expression } ")"
//              | "if" "(" expression "," expression "," expression ")"
//              | "table" "(" name "," expression ")"
//   name       = letter { letter | digit } { "." part | "[" digits "]" }
//
// Units written behind a number multiply it and bind tighter than "*" and "/". "N/m s" may mean two
// things and is refused. The rules of dimensions are in quantity.h. Texts are limited to 4096
// characters and 64 levels.
#pragma once

#include <string_view>

#include "trammel/expression/program.h"
#include "trammel/expression/resolver.h"

namespace trammel::expression {

/// Throws ExpressionError. The program keeps no reference to the text or the resolver.
Program compile(std::string_view text, const Resolver& resolver);

/// compile(), and refuses results that cannot stand for `wanted` ("a force is wanted").
Program compile(std::string_view text, const Resolver& resolver, const core::Dimension& wanted);

/// Value of an expression without inputs. Throws ExpressionError.
Quantity evaluate(std::string_view text, const Resolver& resolver);

/// Size of a unit such as "mm", "N mm" or "m/s^2": names of units, *, / and whole powers, and
/// nothing else. Throws ExpressionError.
Quantity evaluate_unit(std::string_view text);

}  // namespace trammel::expression
