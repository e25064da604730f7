#include "trammel/report/run_notes.h"

#include "trammel/core/diagnostic.h"
#include "trammel/core/json_value.h"
#include "trammel/report/json_writer.h"

namespace trammel::report {
namespace {

constexpr const char* facts_name = "what_happened";
constexpr const char* warnings_name = "warnings";

/// Nothing when somebody else has changed the text: notes are a courtesy.
core::JsonValue stored(const results::RunInformation& info, const char* name) {
  const auto found = info.more.find(name);
  if (found == info.more.end()) return {};
  try {
    return core::parse_json(found->second);
  } catch (const core::InputError&) {
    return {};
  }
}

}  // namespace

std::map<std::string, std::string> as_information(const RunNotes& notes) {
  std::map<std::string, std::string> texts;
  JsonWriter facts;
  facts.begin_array();
  for (const auto& [heading, text] : notes.facts) {
    facts.begin_array();
    facts.value(heading);
    facts.value(text);
    facts.end_array();
  }
  facts.end_array();
  texts[facts_name] = facts.take();
  if (notes.warnings.empty()) return texts;
  JsonWriter warnings;
  warnings.begin_array();
  for (const std::string& warning : notes.warnings) warnings.value(warning);
  warnings.end_array();
  texts[warnings_name] = warnings.take();
  return texts;
}

RunNotes notes_of(const results::RunInformation& info) {
  RunNotes notes;
  const core::JsonValue facts = stored(info, facts_name);
  for (const core::JsonValue& fact : facts.array()) {
    notes.facts.emplace_back(fact[0].text(), fact[1].text());
  }
  const core::JsonValue warnings = stored(info, warnings_name);
  for (const core::JsonValue& warning : warnings.array()) {
    notes.warnings.push_back(warning.text());
  }
  return notes;
}

std::vector<std::pair<std::string, std::string>> shown_information(
    const results::RunInformation& info) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [name, text] : info.more) {
    if (name != facts_name && name != warnings_name) list.emplace_back(name, text);
  }
  return list;
}

}  // namespace trammel::report
