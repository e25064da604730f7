#include "trammel/report/model_differences.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace trammel::report {
namespace {

using Places = std::vector<std::pair<std::string, std::string>>;

std::string trimmed_value(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

// Without the remark at its end; a '#' inside of quotes or a word is none.
std::string_view without_remark(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != '\0') {
      if (line[i] == quote) quote = '\0';
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '#' && (i == 0 || line[i - 1] == ' ')) {
      return line.substr(0, i);
    }
  }
  return line;
}

// The entries of "{mass: 1 kg, frames: {tip: [1, 0]}}", or the value itself.
void add_value(const std::string& place, const std::string& text, Places& places) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') {
    places.emplace_back(place, text);
    return;
  }
  int depth = 0;
  std::size_t begin = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    const bool end = i + 1 == text.size() || (c == ',' && depth == 0);
    if (end) {
      const std::string entry = text.substr(begin, i - begin);
      const std::size_t colon = entry.find(':');
      if (colon != std::string::npos) {
        add_value(place + "." + trimmed_value(entry.substr(0, colon)),
                  trimmed_value(entry.substr(colon + 1)), places);
      }
      begin = i + 1;
    }
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
  }
}

// Keys by their indentation, which is all of YAML that models are written in; what is written
// otherwise (lists line by line) counts as one value of its key.
Places places_of(const std::string& text) {
  struct Level {
    std::size_t indentation;
    std::string place;
  };
  std::vector<Level> levels;
  Places places;
  std::istringstream lines(text);
  for (std::string raw; std::getline(lines, raw);) {
    const std::string line(without_remark(raw));
    const std::string content = trimmed_value(line);
    if (content.empty()) continue;
    const std::size_t indentation = line.find_first_not_of(' ');
    const std::size_t colon = content.find(": ");
    const bool key = content.back() == ':' || colon != std::string::npos;
    if (content.front() == '-' || !key) {
      if (!places.empty()) places.back().second += " " + content;
      continue;
    }
    while (!levels.empty() && levels.back().indentation >= indentation) levels.pop_back();
    const std::string name = trimmed_value(content.substr(0, content.find(':')));
    const std::string place = levels.empty() ? name : levels.back().place + "." + name;
    levels.push_back({indentation, place});
    if (content.back() == ':') {
      places.emplace_back(place, "");
    } else {
      add_value(place, trimmed_value(content.substr(colon + 2)), places);
    }
  }
  return places;
}

}  // namespace

std::vector<ModelDifference> model_differences(const std::vector<results::RunInformation>& runs,
                                               std::size_t most) {
  std::vector<std::string> order;
  std::vector<std::map<std::string, std::string>> values(runs.size());
  const auto note = [&](std::size_t run, const std::string& place, const std::string& value) {
    values[run][place] = value;
    if (std::find(order.begin(), order.end(), place) == order.end()) order.push_back(place);
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [place, value] : places_of(runs[i].model_text)) note(i, place, value);
    const auto set = runs[i].more.find("set");
    if (set != runs[i].more.end()) {
      std::istringstream lines(set->second);
      for (std::string line; std::getline(lines, line);) {
        const std::size_t equal = line.find('=');
        if (equal == std::string::npos) continue;
        // A name without dots is a parameter.
        const std::string name = line.substr(0, equal);
        const bool parameter =
            name.find('.') == std::string::npos && values[i].contains("parameters." + name);
        note(i, parameter ? "parameters." + name : name, line.substr(equal + 1));
      }
    }
    note(i, "method", runs[i].method);
  }
  std::vector<ModelDifference> differences;
  for (const std::string& place : order) {
    ModelDifference difference{place, {}};
    for (const auto& of_run : values) {
      const auto found = of_run.find(place);
      difference.values.push_back(found == of_run.end() ? std::string() : found->second);
    }
    const bool same =
        std::all_of(difference.values.begin(), difference.values.end(),
                    [&](const std::string& value) { return value == difference.values.front(); });
    if (!same && differences.size() < most) differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace trammel::report
