// Reading a model file: YAML (or JSON) text to a checked model::Description.
//
//   io::Vocabulary vocabulary = io::model_vocabulary();   // + integrators and solvers
//   io::ModelFile file = io::read_model_file("slider_crank.yaml", vocabulary);
//
// All mistakes are thrown at once as core::InputError, each with file, line, column, path, value
// and remedy. The format is described in docs/model_file.md, generated from the table in keys.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/io/include_files.h"
#include "trammel/io/overrides.h"
#include "trammel/io/part_places.h"
#include "trammel/io/vocabulary.h"
#include "trammel/io/yaml_tree.h"
#include "trammel/model/description.h"

namespace trammel::io {

struct ReadOptions {
  Overrides overrides;         ///< --set name=value
  bool allow_outside = false;  ///< files that are not below the folder of the model may be read
};

/// A model that was read without mistakes.
struct ModelFile {
  model::Description description;
  std::string path;                          ///< of the file, as it was given
  std::string text;                          ///< its content
  std::vector<core::Diagnostic> warnings;    ///< with their places
  std::vector<IncludedFile> included;        ///< files that it includes
  std::vector<SourceFile> sources;           ///< all files that it was made of besides its own
  bool allow_outside = false;                ///< as it was read
  std::shared_ptr<const Tree> tree;          ///< the places of everything
  std::shared_ptr<const PartPlaces> places;  ///< of what stands in instances

  /// Fills in file, line and column of a diagnostic from its path, if it has none: the place of the
  /// value, or of the nearest thing around it that the file contains.
  void locate(core::Diagnostic& diagnostic) const;
  /// Whether a path ("bodies.left_leg.shin.mass") leads into an instance of a sub-assembly.
  bool is_in_instance(const std::string& path) const;

 private:
  /// The place of the part of an instance that a path begins with; returns the length of that part.
  std::size_t place_of(const std::string& path, const PartPlace*& place) const;
};

/// Throws core::InputError with all mistakes, also when the file cannot be read.
ModelFile read_model_file(const std::string& path,
                          const Vocabulary& vocabulary,
                          const ReadOptions& options = {});

/// The same for a text; `name` stands for the path in messages.
ModelFile read_model_text(std::string text,
                          const std::string& name,
                          const Vocabulary& vocabulary,
                          const ReadOptions& options = {});

}  // namespace trammel::io
