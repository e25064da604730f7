#include "trammel/io/expression.h"

#include "trammel/expression/compile.h"
#include "trammel/expression/resolver.h"

namespace trammel::io {
namespace {

class ParameterResolver : public expression::Resolver {
 public:
  explicit ParameterResolver(const Quantities& parameters) : parameters_(parameters) {}

  std::optional<expression::Symbol> find(std::string_view name) const override {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) return std::nullopt;
    if (!found->second) return expression::Symbol{};
    return expression::Symbol::constant(*found->second);
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, value] : parameters_) names.push_back(name);
    return names;
  }

  std::string_view noun() const override { return "parameter"; }

 private:
  const Quantities& parameters_;
};

}  // namespace

Quantity evaluate(std::string_view text, const Quantities& parameters) {
  return expression::evaluate(text, ParameterResolver(parameters));
}

}  // namespace trammel::io
