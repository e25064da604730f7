#include "trammel/io/functions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

Quantity call(std::string_view name, std::vector<Quantity> arguments) {
  return call_function(name, arguments, 7);
}

TEST(Functions, ComputeWhatTheirNamesSay) {
  const Quantity x{0.3, {}, false};
  EXPECT_EQ(call("sin", {x}).value, std::sin(0.3));
  EXPECT_EQ(call("cos", {x}).value, std::cos(0.3));
  EXPECT_EQ(call("tan", {x}).value, std::tan(0.3));
  EXPECT_EQ(call("asin", {x}).value, std::asin(0.3));
  EXPECT_EQ(call("acos", {x}).value, std::acos(0.3));
  EXPECT_EQ(call("atan", {x}).value, std::atan(0.3));
  EXPECT_EQ(call("sqrt", {x}).value, std::sqrt(0.3));
  EXPECT_EQ(call("exp", {x}).value, std::exp(0.3));
  EXPECT_EQ(call("log", {x}).value, std::log(0.3));
  EXPECT_EQ(call("abs", {Quantity{-0.3, {}, false}}).value, 0.3);
  EXPECT_EQ(call("atan2", {x, Quantity{-2.0, {}, false}}).value, std::atan2(0.3, -2.0));
}

TEST(Functions, AllNamesCanBeCalled) {
  for (const std::string& name : function_names()) {
    if (name == "pi") continue;
    const Quantity half{0.5, {}, false};
    EXPECT_NO_THROW(call(name, name == "atan2" ? std::vector{half, half} : std::vector{half}))
        << name;
  }
}

TEST(Functions, TellThePlaceOfTheCall) {
  try {
    call("gamma", {Quantity{1.0, {}, false}});
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.position, 7U);
  }
}

}  // namespace
}  // namespace trammel::io
