// The sub-assemblies that a model defines, each checked when it is first used.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trammel/io/assembly_scope.h"
#include "trammel/io/reader.h"

namespace trammel::io {

class AssemblyLibrary {
 public:
  /// `assemblies` is the map of definitions, or null.
  AssemblyLibrary(Tree& tree, Reader& reader, const Node* assemblies);

  /// Null, after a message at `name`, when there is no such definition or it is no map.
  const AssemblyDefinition* find(const Node& name, const Path& path);

  /// The definition with the values that `changes` replaces; the same object for the same
  /// arguments.
  const AssemblyDefinition* changed(const AssemblyDefinition& definition,
                                    const Node& changes,
                                    const Path& path);

  /// Definitions that nobody has asked for.
  std::vector<const AssemblyDefinition*> unused();

  /// Instances and ports share their names with nothing else in `map`, a definition or the model.
  void check_names(const Node& map, const Path& path);
  /// Whether that is not so for an instance.
  bool has_clash(const Entry& instance) const { return clashes_.contains(&instance); }
  /// Whether no name in `map` is that of one of the copies of an instance.
  bool check_copy_names(const Node& map, const Entry& instance, std::size_t copies);

 private:
  const AssemblyDefinition* define(const Entry& entry);
  const AssemblyDefinition* add(std::string name, const Node& map);
  std::string place_of(const Node& map, const Entry& entry) const;

  Tree& tree_;
  Reader& reader_;
  const Node* assemblies_;
  std::unordered_map<std::string_view, const Entry*> entries_;
  std::unordered_map<std::string, const AssemblyDefinition*> definitions_;
  std::map<std::pair<const AssemblyDefinition*, const Node*>, const AssemblyDefinition*> variants_;
  std::vector<std::unique_ptr<AssemblyDefinition>> owned_;
  std::unordered_set<const Entry*> clashes_;
};

}  // namespace trammel::io
