#include "trammel/io/format_model.h"

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::io {
namespace {

TEST(FormatModel, BringsTheLayoutIntoShape) {
  EXPECT_EQ(format_model("# yaml-language-server: $schema=x\n"
                         "trammel:   1   # version\n"
                         "space: planar # two components\n"
                         "\n\n\n"
                         "bodies:\n"
                         "    crank:    # the driver\n"
                         "        mass:   0.5 kg\n"
                         "        position: [ 1,2 mm ,a*( b+1 ) ]\n"
                         "        # below the keys of the crank\n"
                         "    # rod: later\n"
                         "joints: { pin: {type:   revolute} }   \r\n"
                         "# the end"),
            "# yaml-language-server: $schema=x\n"
            "trammel: 1     # version\n"
            "space: planar  # two components\n"
            "\n"
            "bodies:\n"
            "  crank:  # the driver\n"
            "    mass: 0.5 kg\n"
            "    position: [1, 2 mm, a*( b+1 )]\n"
            "    # below the keys of the crank\n"
            "  # rod: later\n"
            "joints: {pin: {type: revolute}}\n"
            "# the end\n");
}

TEST(FormatModel, BreaksWhatIsTooWideOrCommented) {
  const std::string wide(60, 'x');
  EXPECT_EQ(format_model("a: {b: " + wide + ", c: [1, 2], d: " + wide + "}\n"),
            "a:\n  b: " + wide + "\n  c: [1, 2]\n  d: " + wide + "\n");
  EXPECT_EQ(format_model("a: [1, # one\n  2]\n"), "a:\n  - 1  # one\n  - 2\n");
  EXPECT_EQ(format_model("a: [1,\n  2] # both\n"), "a: [1, 2]  # both\n");
}

TEST(FormatModel, KeepsSequencesOfMapsBehindTheirDashes) {
  EXPECT_EQ(format_model("a:\n- b: 1\n  c: 2 # two\n-   [x]\n-\n  # deep\n  d: 1\n"),
            "a:\n  - b: 1\n    c: 2  # two\n  - [x]\n  # deep\n  - d: 1\n");
}

TEST(FormatModel, KeepsQuotesAnchorsAndBlocks) {
  const std::string text =
      "a: \"1 # no \\\"comment\\\"\"\n"
      "b: &x {c: 1}\n"
      "d: *x\n"
      "e: &y\n"
      "  f: 1\n"
      "g: |\n"
      "  two\n"
      "\n"
      "  lines # text\n"
      "h: |-\n"
      "  x\n"
      "  y\n"
      "i:\n"
      "j: [null, {}, []]\n";
  EXPECT_EQ(format_model(text), text);
  EXPECT_EQ(format_model("a: 'it''s'\nb: plain\n  words\n"), "a: \"it's\"\nb: plain words\n");
}

TEST(FormatModel, IsIdempotentOnAllModels) {
  for (const char* folder : {"tests/data/good_models", "tests/data/bad_models", "examples"}) {
    for (const auto& path : test::files_in(folder)) {
      std::string once;
      try {
        once = format_model(test::content(path));
      } catch (const core::InputError&) {
        EXPECT_STREQ(folder, "tests/data/bad_models") << path;
        continue;  // not YAML, or duplicate keys
      }
      EXPECT_EQ(format_model(once), once) << path;
    }
  }
}

TEST(FormatModel, GoodModelsAreInCanonicalLayout) {
  for (const auto& path : test::files_in("tests/data/good_models", {".yaml", ".json"})) {
    EXPECT_EQ(format_model(test::content(path)), test::content(path)) << path;
  }
}

TEST(FormatModel, RefusesWhatItWouldDamage) {
  EXPECT_THROW(format_model("a: 1\na: 2\n"), core::InputError);
  EXPECT_THROW(format_model("a: [1\n"), core::InputError);
  EXPECT_EQ(format_model(""), "");
}

}  // namespace
}  // namespace trammel::io
