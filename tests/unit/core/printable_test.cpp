#include "trammel/core/printable.h"

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::core {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  const std::string text = "joint 'Gelenk_3': \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x94\xA7, 50 %";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("\x07\x7f\r"), "\\x07\\x7f\\x0d");
  EXPECT_EQ(printable("a\tb"), "a b");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\u009b2J");  // a control sequence of one character
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "txt"),
            "\\u202etxt");  // writes backwards from here on
  EXPECT_EQ(printable("one\ntwo"), "one\\x0atwo");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xC3"), "\\xc3");                    // cut short
  EXPECT_EQ(printable("\xC0\x80"), "\\xc0\\x80");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(Printable, NoByteThatATerminalObeysIsLeftOfAnyText) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      for (const char c : printable(text)) {
        EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20U && c != '\x7f')
            << first << " " << second;
      }
    }
  }
}

TEST(Printable, HoldsForDiagnostics) {
  Diagnostic diagnostic;
  diagnostic.file = "a\x1b.yaml";
  diagnostic.path = "bodies.\x1b[2J";
  diagnostic.message = "'\x1b]0;title\x07' is no number";
  EXPECT_EQ(to_string(diagnostic).find('\x1b'), std::string::npos);
  for (std::string Diagnostic::*text :
       {&Diagnostic::file, &Diagnostic::path, &Diagnostic::message, &Diagnostic::remedy}) {
    Diagnostic each;
    each.*text = "x\nerror: y";
    EXPECT_EQ(to_string(each).find('\n'), std::string::npos);
  }
  const RunError error("'x\nerror: y' failed", "try 'x\nerror: z'");
  EXPECT_EQ(std::string(error.what()), "'x\\x0aerror: y' failed");
  EXPECT_EQ(error.remedy(), "try 'x\\x0aerror: z'");
}

}  // namespace
}  // namespace trammel::core
