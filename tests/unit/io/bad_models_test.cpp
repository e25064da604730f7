// Every file in tests/data/bad_models contains one kind of mistake and says in "# expect:" lines
// which messages belong to it: "line:column: error: path: message; remedy".
#include <algorithm>

#include "test_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

std::vector<std::string> expected_messages(const std::string& text) {
  const std::string mark = "# expect: ";
  std::vector<std::string> messages;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(mark, 0) == 0) messages.push_back(line.substr(mark.size()));
  }
  return messages;
}

/// The messages of a file, without its name.
std::vector<std::string> messages_of(const std::string& text) {
  std::vector<std::string> messages;
  try {
    read_model_text(text, "model", test::vocabulary());
  } catch (const core::InputError& error) {
    for (core::Diagnostic diagnostic : error.diagnostics()) {
      EXPECT_FALSE(diagnostic.remedy.empty()) << diagnostic.message;
      std::string place;
      if (diagnostic.line > 0) {
        place = fmt::format("{}:{}: ", diagnostic.line, diagnostic.column);
      }
      diagnostic.file.clear();
      messages.push_back(place + core::to_string(diagnostic));
    }
  }
  return messages;
}

class BadModel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadModel, IsRefusedWithTheExpectedMessages) {
  const std::string text = test::content(GetParam());
  const std::vector<std::string> expected = expected_messages(text);
  ASSERT_FALSE(expected.empty()) << "the file says nothing about its mistakes";
  EXPECT_EQ(messages_of(text), expected);
}

INSTANTIATE_TEST_SUITE_P(Corpus,
                         BadModel,
                         testing::ValuesIn(test::files_in("tests/data/bad_models")),
                         [](const auto& info) { return info.param.stem().string(); });

std::string only_message(const std::string& text) {
  const std::vector<std::string> messages = messages_of(text);
  return messages.size() == 1 ? messages.front() : std::to_string(messages.size()) + " messages";
}

TEST(BadModel, BinaryAndEmptyFilesAreRefused) {
  EXPECT_EQ(only_message("trammel: 1\nname: f\xfcr\n"),
            "2:8: error: byte 0xfc is not valid UTF-8; save the file as UTF-8 text");
  EXPECT_EQ(only_message(std::string("trammel: 1\nspace: pla\0nar\n", 26)),
            "2:11: error: byte 0x00 does not belong in a text file; is this really a model file? "
            "Save it as plain UTF-8 text");
  EXPECT_EQ(only_message(std::string("\xff\xfet\0r\0", 6)),
            "1:1: error: byte 0xff is not valid UTF-8; save the file as UTF-8 text");
  EXPECT_NE(only_message("").find("is empty"), std::string::npos);
}

TEST(BadModel, ThousandsOfMistakesAreCutOff) {
  std::string text = "trammel: 1\nspace: planar\nbodies:\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("  b{}: {{mass: -1, inertia: 1}}\n", i);
  const std::vector<std::string> messages = messages_of(text);
  ASSERT_EQ(messages.size(), 201U);
  EXPECT_NE(messages.back().find("200 messages or more"), std::string::npos);
}

TEST(BadModel, ThousandsOfUndefinedNamesAreCutOffAsWell) {
  std::string text = "trammel: 1\nspace: planar\nbodies:\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("  b{}: {{mass: 1, inertia: 1}}\n", i);
  text += "simulation: {output_step: 1 s}\njoints:\n";
  for (int i = 0; i < 1000; ++i) {
    text += fmt::format("  j{0}: {{type: revolute, between: [c{0}, ground]}}\n", i);
  }
  const std::vector<std::string> messages = messages_of(text);
  ASSERT_EQ(messages.size(), 201U);
  for (const std::string& message : messages) {
    EXPECT_NE(message.find("error"), std::string::npos) << "errors go before warnings";
  }
}

}  // namespace
}  // namespace trammel::io
