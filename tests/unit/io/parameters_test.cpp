#include "trammel/io/parameters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace trammel::io {
namespace {

TEST(Parameters, MayBeDefinedInAnyOrder) {
  std::vector<ParameterError> errors;
  const Quantities values =
      evaluate_parameters({{"c", "a + b"}, {"b", "2 * a"}, {"a", "3 mm"}}, errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_DOUBLE_EQ(values.find("c")->second->value, 0.009);
  EXPECT_EQ(values.find("c")->second->dimension, core::dimension::length);
}

TEST(Parameters, CyclesAreNamedOnce) {
  std::vector<ParameterError> errors;
  const Quantities values = evaluate_parameters(
      {{"a", "b"}, {"b", "c"}, {"c", "a"}, {"user", "2 * a"}, {"self", "self"}, {"fine", "1"}},
      errors);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(errors[0].error.message.find("a -> b -> c -> a"), std::string::npos);
  EXPECT_NE(errors[1].error.message.find("self -> self"), std::string::npos);
  EXPECT_FALSE(values.find("user")->second);
  EXPECT_TRUE(values.find("fine")->second);
}

TEST(Parameters, OneMistakeIsToldOnce) {
  std::vector<ParameterError> errors;
  evaluate_parameters({{"a", "2 *"}, {"b", "a"}, {"c", "b + a"}}, errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].definition, 0U);
}

TEST(Parameters, LongChainsDoNotExhaustTheStack) {
  constexpr std::size_t count = 100'000;
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("p{}", i));
    texts.push_back(i + 1 < count ? fmt::format("p{} + 1", i + 1) : "1");
  }
  std::vector<ParameterDefinition> definitions;
  for (std::size_t i = 0; i < count; ++i) definitions.push_back({names[i], texts[i]});
  std::vector<ParameterError> errors;
  const Quantities values = evaluate_parameters(definitions, errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(values.find("p0")->second->value, static_cast<double>(count));
}

}  // namespace
}  // namespace trammel::io
