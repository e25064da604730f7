#include "trammel/report/run_notes.h"

#include "trammel/core/diagnostic.h"
#include "trammel/core/json_value.h"
#include "trammel/report/json_writer.h"

namespace trammel::report {
namespace {

constexpr const char* facts_name = "what_happened";
constexpr const char* warnings_name = "warnings";
constexpr const char* doubts_name = "doubts";

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

std::string list_text(const std::vector<std::string>& list) {
  JsonWriter json;
  json.begin_array();
  for (const std::string& each : list) json.value(each);
  json.end_array();
  return json.take();
}

std::vector<std::string> stored_list(const results::RunInformation& info, const char* name) {
  std::vector<std::string> list;
  const core::JsonValue texts = stored(info, name);
  for (const core::JsonValue& text : texts.array()) list.push_back(text.text());
  return list;
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
  if (!notes.warnings.empty()) texts[warnings_name] = list_text(notes.warnings);
  if (notes.judged) texts[doubts_name] = list_text(notes.doubts);
  return texts;
}

RunNotes notes_of(const results::RunInformation& info) {
  RunNotes notes;
  const core::JsonValue facts = stored(info, facts_name);
  for (const core::JsonValue& fact : facts.array()) {
    notes.facts.emplace_back(fact[0].text(), fact[1].text());
  }
  notes.warnings = stored_list(info, warnings_name);
  notes.judged = info.more.contains(doubts_name);
  notes.doubts = stored_list(info, doubts_name);
  return notes;
}

std::vector<std::pair<std::string, std::string>> shown_information(
    const results::RunInformation& info) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [name, text] : info.more) {
    if (name != facts_name && name != warnings_name && name != doubts_name)
      list.emplace_back(name, text);
  }
  return list;
}

}  // namespace trammel::report
