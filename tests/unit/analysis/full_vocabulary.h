// Every word a model file may use, put together as the command line does it.
#pragma once

#include "trammel/analysis/vocabulary.h"
#include "trammel/io/vocabulary.h"

namespace trammel::analysis {

inline std::vector<io::Kind> as_kinds(const std::vector<MethodKind>& methods) {
  std::vector<io::Kind> kinds;
  for (const MethodKind& method : methods) {
    kinds.push_back({.name = method.name, .summary = method.summary, .fields = method.fields});
  }
  return kinds;
}

inline io::Vocabulary full_vocabulary() {
  io::Vocabulary vocabulary = io::model_vocabulary();
  vocabulary.integrators = as_kinds(integrator_kinds());
  vocabulary.solvers = as_kinds(solver_kinds());
  return vocabulary;
}

}  // namespace trammel::analysis
