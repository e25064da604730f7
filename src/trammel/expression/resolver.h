// What the names in an expression stand for; the caller decides.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/expression/quantity.h"
#include "trammel/expression/table.h"
#include "trammel/expression/user_function.h"

namespace trammel::expression {

/// A name is a constant, an input whose value comes with each evaluation, or something that exists
/// but is wrong itself (what uses it is then refused without a message of its own).
struct Symbol {
  enum class Kind { constant, input, withheld };
  Kind kind = Kind::withheld;
  Quantity quantity;   ///< of a constant
  std::size_t id = 0;  ///< of an input: the caller's number for it
  Type type;           ///< of an input

  static Symbol constant(const Quantity& quantity);
  static Symbol input(std::size_t id, const core::Dimension& dimension);
};

class Resolver {
 public:
  Resolver() = default;
  Resolver(const Resolver&) = default;
  Resolver& operator=(const Resolver&) = default;
  Resolver(Resolver&&) = default;
  Resolver& operator=(Resolver&&) = default;
  virtual ~Resolver() = default;

  /// `name` may be dotted: "rod.angle". "time" is a name like any other.
  virtual std::optional<Symbol> find(std::string_view name) const = 0;
  /// Known names, for "did you mean".
  virtual std::vector<std::string> names() const { return {}; }
  /// What a name that is not found is said not to be.
  virtual std::string_view noun() const { return "known name"; }

  virtual std::shared_ptr<const Table> find_table(std::string_view /*name*/) const {
    return nullptr;
  }
  virtual std::vector<std::string> table_names() const { return {}; }

  /// Functions beyond those of the language.
  virtual std::shared_ptr<const UserFunction> find_function(std::string_view /*name*/) const {
    return nullptr;
  }
  virtual std::vector<std::string> user_function_names() const { return {}; }
};

/// A resolver made of lists.
class Scope : public Resolver {
 public:
  void add_constant(std::string name, const Quantity& quantity);
  /// The id is the number of inputs added before.
  std::size_t add_input(std::string name, const core::Dimension& dimension);
  void add_table(std::shared_ptr<const Table> table);
  void add_function(std::shared_ptr<const UserFunction> function);

  std::optional<Symbol> find(std::string_view name) const override;
  std::vector<std::string> names() const override;
  std::shared_ptr<const Table> find_table(std::string_view name) const override;
  std::vector<std::string> table_names() const override;
  std::shared_ptr<const UserFunction> find_function(std::string_view name) const override;
  std::vector<std::string> user_function_names() const override;

 private:
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> tables_;
  std::map<std::string, std::shared_ptr<const UserFunction>, std::less<>> functions_;
  std::size_t input_count_ = 0;
};

}  // namespace trammel::expression
