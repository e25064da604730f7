// Names inside sub-assemblies, and what they are called in the whole model.
//
// Every instance is a scope: its bodies, joints and forces get its name and a dot before their own.
// A reference is looked up in the scope where it stands:
//
//     ground, ground.hook      the origin of the scope, or a frame of its own on the ground
//     shin, shin.knee          a body of the scope, or a frame of it
//     left.foot                in the instance `left`: its port `foot`, or what `foot` is there
//     chain_3.tip, chain.last.tip   a copy of the repeated instance `chain`
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trammel/io/transform.h"
#include "trammel/io/yaml_tree.h"

namespace trammel::io {

/// A sub-assembly as it is described, perhaps with overrides.
struct AssemblyDefinition {
  std::string name;
  const Node* map = nullptr;
  std::unordered_set<std::string_view> bodies;
  std::unordered_map<std::string_view, const Node*> ports;  ///< the texts of their frames
};

struct InstanceGroup;

struct Scope {
  std::string prefix;                              ///< "" or "left_leg."
  const AssemblyDefinition* definition = nullptr;  ///< null for the model itself
  Transform transform;
  std::size_t copies = 1;  ///< how often it exists in the model, as far as is known
  std::map<std::string, std::unique_ptr<InstanceGroup>, std::less<>> instances;
};

/// The copies of an instance: one, or as many as `repeat` says.
struct InstanceGroup {
  bool repeated = false;
  std::vector<Scope> copies;
};

/// The name of a frame in the whole model, or what is wrong.
struct Resolution {
  std::string name;
  std::string message;
  std::string remedy;
  const Scope* origin = nullptr;  ///< the name is that of the origin of this scope, on the ground
};

/// A reference from inside a scope.
Resolution resolve(const Scope& scope, std::string_view reference);

/// A reference from outside: may name a port.
Resolution resolve_port(const Scope& scope, std::string_view reference);

/// A reference in the joints and forces that an instance adds to a copy: first a name of the copy,
/// then one of the place where the instance stands. `previous` names something of the copy before;
/// in the first copy, it is `start`, a reference in `outer`.
struct CopyPlace {
  const Scope& outer;
  const Scope& copy;
  const Scope* before = nullptr;
  std::string_view start;
};
Resolution resolve(const CopyPlace& place, std::string_view reference);
bool names_previous(std::string_view reference);

}  // namespace trammel::io
