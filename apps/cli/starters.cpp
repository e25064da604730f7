#include "starters.h"

#include "embedded_starters.h"

namespace trammel::cli {

const std::vector<Starter>& starters() {
  static const std::vector<Starter> list = embedded_starters();
  return list;
}

std::string_view summary(const Starter& starter) {
  const std::string_view line = starter.text.substr(0, starter.text.find('\n'));
  const std::string_view comment = line.substr(line.find_first_not_of("# "));
  return comment.substr(0, std::min(comment.find(". "), comment.find_last_not_of(".:") + 1));
}

}  // namespace trammel::cli
