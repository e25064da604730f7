#include "trammel/io/color.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace trammel::io {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> named = {{
    {"white", "#ffffff"},  {"silver", "#c0c0c0"}, {"gray", "#808080"},   {"grey", "#808080"},
    {"black", "#202020"},  {"red", "#d03a2f"},    {"orange", "#e8862e"}, {"yellow", "#e8c33c"},
    {"green", "#4c9a57"},  {"teal", "#2f8f8b"},   {"blue", "#3f7fc1"},   {"navy", "#27476e"},
    {"purple", "#8562b0"}, {"pink", "#d88aa8"},   {"brown", "#8a6248"},  {"steel", "#8f9aa6"},
    {"brass", "#c9a84c"},  {"copper", "#b8734a"}, {"wood", "#b98d5a"},   {"rubber", "#3a3d42"},
    {"glass", "#a9cfe0"},
}};

}  // namespace

std::string color_from(std::string_view text) {
  for (const auto& [name, color] : named) {
    if (text == name) return std::string(color);
  }
  const bool hexadecimal = !text.empty() && text.front() == '#' &&
                           std::all_of(text.begin() + 1, text.end(),
                                       [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!hexadecimal || (text.size() != 4 && text.size() != 7)) return {};
  std::string color = "#";
  for (const char digit : text.substr(1)) {
    const auto c = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    color.append(text.size() == 4 ? 2 : 1, c);
  }
  return color;
}

std::vector<std::string> color_names() {
  std::vector<std::string> names;
  for (const auto& [name, color] : named) names.emplace_back(name);
  return names;
}

}  // namespace trammel::io
