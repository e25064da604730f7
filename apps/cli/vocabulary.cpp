#include "vocabulary.h"

#include <algorithm>

#include "trammel/analysis/vocabulary.h"

namespace trammel::cli {
namespace {

std::vector<io::Kind> kinds(const std::vector<analysis::MethodKind>& methods) {
  std::vector<io::Kind> list;
  list.reserve(methods.size());
  for (const analysis::MethodKind& method : methods) {
    list.push_back({.name = method.name, .summary = method.summary, .fields = method.fields});
  }
  return list;
}

}  // namespace

io::Vocabulary full_vocabulary() {
  io::Vocabulary vocabulary = io::model_vocabulary();
  vocabulary.integrators = kinds(analysis::integrator_kinds());
  vocabulary.solvers = kinds(analysis::solver_kinds());
  return vocabulary;
}

std::vector<std::string> names(const std::vector<io::Kind>& kinds) {
  std::vector<std::string> list;
  for (const io::Kind& kind : kinds) {
    if (std::find(list.begin(), list.end(), kind.name) == list.end()) list.push_back(kind.name);
  }
  return list;
}

}  // namespace trammel::cli
