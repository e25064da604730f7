#include "trammel/io/parameters.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace trammel::io {
namespace {

constexpr std::size_t longest_told_cycle = 12;
constexpr std::size_t most_errors = 200;

/// Which definitions each one needs, by index.
std::vector<std::vector<std::size_t>> dependencies(
    const std::vector<ParameterDefinition>& definitions) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < definitions.size(); ++i) index.emplace(definitions[i].name, i);
  std::vector<std::vector<std::size_t>> needs(definitions.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    for (const std::string_view name : names_in(definitions[i].text)) {
      if (const auto found = index.find(name); found != index.end()) {
        needs[i].push_back(found->second);
      }
    }
  }
  return needs;
}

/// Kahn's order: each definition after those it needs. Members of cycles, and what needs them, are
/// missing.
std::vector<std::size_t> evaluation_order(const std::vector<std::vector<std::size_t>>& needs) {
  std::vector<std::vector<std::size_t>> needed_by(needs.size());
  std::vector<std::size_t> waiting(needs.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    waiting[i] = needs[i].size();
    for (const std::size_t j : needs[i]) needed_by[j].push_back(i);
    if (waiting[i] == 0) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const std::size_t i : needed_by[order[done]]) {
      if (--waiting[i] == 0) order.push_back(i);
    }
  }
  return order;
}

/// Follows, from each definition that could not be ordered, the first need that could not be
/// either, until a definition comes again: that is a cycle. Every cycle is found once.
class CycleFinder {
 public:
  CycleFinder(const std::vector<std::vector<std::size_t>>& needs, std::vector<bool> ordered)
      : needs_(needs), ordered_(std::move(ordered)), visit_(needs.size(), 0) {}

  std::vector<std::vector<std::size_t>> find() {
    std::vector<std::vector<std::size_t>> cycles;
    for (std::size_t start = 0; start < needs_.size(); ++start) {
      if (ordered_[start] || visit_[start] != 0) continue;
      std::vector<std::size_t> walk;
      std::size_t i = start;
      while (visit_[i] == 0) {
        visit_[i] = start + 1;
        walk.push_back(i);
        i = *std::find_if(needs_[i].begin(), needs_[i].end(),
                          [&](std::size_t j) { return !ordered_[j]; });
      }
      if (visit_[i] == start + 1) {
        cycles.emplace_back(std::find(walk.begin(), walk.end(), i), walk.end());
      }
    }
    return cycles;
  }

 private:
  const std::vector<std::vector<std::size_t>>& needs_;
  std::vector<bool> ordered_;
  std::vector<std::size_t> visit_;  ///< 1 + the start of the walk that came by, or 0
};

std::string told(const std::vector<std::size_t>& cycle,
                 const std::vector<ParameterDefinition>& definitions) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), longest_told_cycle); ++i) {
    text += fmt::format("{} -> ", definitions[cycle[i]].name);
  }
  if (cycle.size() > longest_told_cycle) text += "... -> ";
  return text + std::string(definitions[cycle.front()].name);
}

}  // namespace

Quantities evaluate_parameters(const std::vector<ParameterDefinition>& definitions,
                               std::vector<ParameterError>& errors,
                               Quantities known) {
  Quantities values = std::move(known);
  for (const ParameterDefinition& definition : definitions) {
    values.insert_or_assign(std::string(definition.name), std::nullopt);
  }
  const std::vector<std::vector<std::size_t>> needs = dependencies(definitions);
  const std::vector<std::size_t> order = evaluation_order(needs);
  std::vector<bool> ordered(definitions.size(), false);
  for (const std::size_t i : order) {
    ordered[i] = true;
    if (!definitions[i].usable || errors.size() >= most_errors) continue;
    try {
      values.find(definitions[i].name)->second = evaluate(definitions[i].text, values);
    } catch (ExpressionError& error) {
      if (!error.reported) errors.push_back({i, std::move(error)});
    }
  }
  for (const std::vector<std::size_t>& cycle : CycleFinder(needs, ordered).find()) {
    errors.push_back(
        {cycle.front(),
         {0, fmt::format("parameters depend on each other: {}", told(cycle, definitions)),
          "give one of them a value of its own", false}});
  }
  return values;
}

}  // namespace trammel::io
