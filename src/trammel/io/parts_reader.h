// Ground frames, bodies, joints, forces and connections of a model, with those of its
// sub-assemblies.
//
// A sub-assembly is read once per copy, with the parameters of the copy, its name before every name
// and its transform applied to what was read; nothing is expanded as text. What an instance adds to
// its copies (parameters, place, overrides, joints, forces) belongs to the place where the instance
// stands: to its parameters and the number `i` of the copy, and to its ground.
//
// A model has at most five million parts (bodies, joints, forces, copies), as many as fit into the
// memory, and 32 levels of instances.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trammel/io/assembly_library.h"
#include "trammel/io/assembly_scope.h"
#include "trammel/io/flexible_reader.h"
#include "trammel/io/floating_reader.h"
#include "trammel/io/part_places.h"
#include "trammel/io/reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// In all instances together.
inline constexpr std::size_t most_parts = 5'000'000;

class PartsReader {
 public:
  /// `root` is the map of the model, `parameters` are those of the model; both must live on.
  PartsReader(Tree& tree,
              const Node& root,
              Reader& reader,
              const Vocabulary& vocabulary,
              const Quantities& parameters);

  /// Fills in everything but the settings of the model. `places` gets the parts of instances.
  void read(model::Description& description, PartPlaces& places);

 private:
  struct Instance;
  using Resolver = std::function<Resolution(std::string_view)>;

  // The content of a scope ---------------------------------------------------------------------
  void read_scope(Scope& scope, const Node& map, const Path& base, const Quantities& parameters);
  void read_ground(const Scope& scope, const Node& map, const Path& base);
  void read_bodies(const Scope& scope, const Node& map, const Path& base);
  void read_flexible_bodies(const Scope& scope, const Node& map, const Path& base);
  void take_flexible_body(model::FlexibleBody body,
                          const Scope& scope,
                          const Entry& entry,
                          const Path& path);
  void take_spatial_beam(model::SpatialBeam beam,
                         const Scope& scope,
                         const Entry& entry,
                         const Path& path);
  void take_floating_body(model::FloatingBody body,
                          const Scope& scope,
                          const Entry& entry,
                          const Path& path);
  /// What a check found in the body `name`, at the keys of its map.
  void tell_mistakes(const core::Diagnostics& found,
                     const std::string& name,
                     const Entry& entry,
                     const Path& path);
  /// Joints and forces of a map, named in the scope `names` and described in the scope `home`.
  void read_all_items(const Scope& names,
                      const Scope& home,
                      const Node& map,
                      const Path& base,
                      const Resolver& resolver);
  void take_item(model::Item item,
                 const Scope& home,
                 const Kind& kind,
                 std::string_view table,
                 const Entry& entry,
                 const Path& path,
                 const Resolver& resolver,
                 std::vector<model::Item>& list);
  void set_names(const Kind& kind, const std::string& prefix, model::Values& values);
  void read_states(const Scope& names, const Node& map, const Path& base);
  void read_connections(const Scope& names,
                        const Scope& home,
                        const Node& map,
                        const Path& base,
                        const Resolver& resolver);
  void take_element(model::Item item,
                    const Scope& home,
                    const Entry& entry,
                    const Path& path,
                    const Resolver& resolver,
                    model::Connection& connection);
  /// False when one names nothing; internal nodes keep their names.
  bool resolve_attachments(model::Item& item,
                           const Entry& entry,
                           const Path& path,
                           const Resolver& resolver,
                           const std::vector<model::InternalNode>& nodes);
  std::string frame_at(const model::Item& item,
                       const std::string& attachment,
                       const Transform& transform);
  void add_origin(const Scope& scope);
  void note_place(std::string_view section, const Scope& scope, const Entry& entry);
  void check_memory(std::size_t parts_before,
                    const Scope& scope,
                    const Node& node,
                    const Path& path);
  void count(std::size_t parts, const Scope& scope, const Node& node, const Path& path);

  // Instances ----------------------------------------------------------------------------------
  /// All copies of the instance `entry` in `map`, the content of the scope `outer`.
  void expand(Scope& outer, const Node& map, const Entry& entry, const Quantities& parameters);
  const AssemblyDefinition* read_definition(SectionReader& section);
  bool may_open(const AssemblyDefinition& definition, const SectionReader& section);
  std::optional<std::size_t> read_repeat(SectionReader& section, const Scope& outer);
  void make_copies(Instance& instance);
  void make_copy(Instance& instance, std::size_t number);
  /// The joints and forces that stand in the instance `entry` itself, for every copy.
  void add_items_of_copies(Scope& outer, const Entry& entry, const Quantities& parameters);
  Transform read_transform(SectionReader& section);
  Quantities read_given(Instance& instance);
  void check_ports(const Scope& scope);
  void read_unused();

  Reader& reader_;
  const Vocabulary& vocabulary_;
  const Quantities& parameters_;
  const Node& root_;
  AssemblyLibrary library_;
  FlexibleParts flexible_parts_;
  model::Description* description_ = nullptr;
  PartPlaces* places_ = nullptr;
  Path top_;
  std::unordered_map<std::string, std::size_t> body_index_;  ///< by the full name
  std::unordered_set<std::string> origins_;  ///< ground frames made for the origins of scopes
  std::unordered_set<const AssemblyDefinition*> ports_checked_;
  std::vector<std::string> open_;  ///< sub-assemblies whose instances are being made
  std::size_t parts_ = 0;
};

}  // namespace trammel::io
