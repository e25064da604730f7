#include "trammel/report/run_notes.h"

#include <gtest/gtest.h>

namespace trammel::report {
namespace {

TEST(RunNotes, ComeBackFromTheInformation) {
  const RunNotes notes{.warnings = {"careful: <x> & \"y\""},
                       .facts = {{"energy", "kept\tand\nall"}, {"", "more"}}};
  results::RunInformation info;
  info.more = as_information(notes);
  info.more["command"] = "trammel run x.yaml";
  const RunNotes back = notes_of(info);
  EXPECT_EQ(back.warnings, notes.warnings);
  EXPECT_EQ(back.facts, notes.facts);
  // The rest is what is worth a line of its own.
  const auto shown = shown_information(info);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].first, "command");
}

TEST(RunNotes, AreNoneInOldOrChangedFiles) {
  results::RunInformation info;
  EXPECT_TRUE(notes_of(info).facts.empty());
  info.more["what_happened"] = "[[\"cut";
  EXPECT_TRUE(notes_of(info).facts.empty());
}

}  // namespace
}  // namespace trammel::report
