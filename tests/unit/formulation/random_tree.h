// Random trees for laws of relative coordinates.
#pragma once

#include <string>

#include "support/random_models.h"

#include "trammel/model/kinds.h"

namespace trammel::formulation {

inline std::string numbered(const char* letters, int number) {
  std::string name(letters);
  name += std::to_string(number);
  return name;
}

// A tree of random bodies with every kind of hinge of the space, read in either direction; with
// `loops`, bodies are also tied to the ground by rods.
inline model::Description random_tree(model::Space space, bool loops, support::Random& random) {
  model::Description d;
  d.space = space;
  d.gravity = random.vector(space, 9.0);
  int number = 0;
  for (int round = 0; round < 2; ++round) {
    for (const model::JointKind& kind : model::joint_kinds()) {
      if (kind.space != space || !kind.allows.is_chain()) continue;
      const std::string name = numbered("b", number);
      d.add_body(support::random_body(name, space, random));
      // Branching: the parent is one of the last three bodies, or the ground.
      const int back = static_cast<int>(random.uniform(1.0, 3.999));
      const std::string parent = number < back ? "ground" : numbered("b", number - back);
      model::Values values = support::random_values(kind.fields, space, random);
      values.erase("rows");  // of the hinge in cross-product form: must suit its axis
      // Coordinates by formulas have a test of their own: they must suit the place.
      for (const char* name : {"x", "y", "z", "guess"}) {
        if (kind.name == "free") values.erase(name);
      }
      if (kind.name == "free" && values.contains("position") &&
          std::get<std::string>(values["position"]) == "formulas") {
        values.erase("position");
      }
      const bool swapped = random.coin();
      d.add_joint(kind.name, numbered("j", number), swapped ? name : parent,
                  swapped ? parent : name, values);
      ++number;
    }
  }
  if (!loops) return d;
  for (int i = 3; i < number; i += 5) {
    d.add_joint("distance", numbered("rod", i), "ground", numbered("b", i), {{"length", 3.0}});
  }
  return d;
}

}  // namespace trammel::formulation
