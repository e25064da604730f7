// What the tests of the model file share: the vocabulary, and the models in tests/data.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "trammel/io/vocabulary.h"

namespace trammel::io::test {

/// Joints and forces of the library with one integrator and two solvers, so that these tests do not
/// depend on which of them exist.
inline Vocabulary vocabulary() {
  Vocabulary result = model_vocabulary();
  model::Field radius;
  radius.name = "spectral_radius";
  radius.description = "at infinite frequency";
  radius.fallback = 0.8;
  radius.sign = model::Sign::non_negative;
  model::Field modified;
  modified.name = "modified";
  modified.kind = model::FieldKind::flag;
  modified.description = "keep factors";
  modified.fallback = true;
  result.integrators = {
      {.name = "generalized-alpha", .summary = "implicit", .fields = {radius, modified}}};
  result.solvers = {{.name = "auto", .summary = "chosen by the program"},
                    {.name = "klu", .summary = "sparse LU"}};
  return result;
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::filesystem::path source_folder() {
  return TRAMMEL_SOURCE_DIR;
}

/// The files below a folder of the repository with one of the extensions, sorted.
inline std::vector<std::filesystem::path> files_in(const std::string& folder,
                                                   const std::vector<std::string>& extensions = {
                                                       ".yaml"}) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
    if (std::count(extensions.begin(), extensions.end(), entry.path().extension()) > 0) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace trammel::io::test
