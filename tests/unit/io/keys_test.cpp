// The table of keys against the reader: nothing in the table is ignored, nothing read is missing.
#include "trammel/io/keys.h"

#include <set>

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io::keys_test {
namespace {

using model::Space;

TEST(Keys, NamesAreUniqueInEachSpaceAndSectionsExist) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const Section& section : sections()) {
      std::set<std::string> names;
      for (const Key& key : keys_in(section.keys, space)) {
        EXPECT_TRUE(names.insert(key.name).second) << section.name << "." << key.name;
        EXPECT_FALSE(key.description.empty()) << section.name << "." << key.name;
        EXPECT_FALSE(key.forms.empty()) << section.name << "." << key.name;
        if (!key.section.empty()) find_section(key.section);
      }
      for (const Key& key : section.keys) names.insert(key.name);  // also of the other space
      for (const auto& group : section.alternatives) {
        for (const std::string& name : group) EXPECT_TRUE(names.count(name)) << name;
      }
    }
  }
}

/// A model in which `value` stands at `key` of `section`, and everything else is sound.
std::string model_with(Space space,
                       const std::string& section,
                       const std::string& key,
                       const std::string& value) {
  const bool planar = space == Space::planar;
  const std::string entry = key + ": " + value;
  const std::string head = "trammel: 1\nspace: " + model::to_string(space) + "\n";
  const std::string inertia = planar ? "inertia: 1" : "inertia: [1, 1, 1]";
  const std::string mass = "mass: 1, " + inertia;
  const auto body = [&](const std::string& text) { return head + "bodies: {a: {" + text + "}}\n"; };
  if (section == "model")
    return head + (key == "bodies" ? "" : "bodies: {a: {" + mass + "}}\n") + entry + "\n";
  if (section == "ground") return body(mass) + "ground: {" + entry + "}\n";
  if (section == "simulation") return body(mass) + "simulation: {" + entry + "}\n";
  if (section == "report") return body(mass) + "report: {" + entry + "}\n";
  if (section == "tree") return body(mass) + "tree: {" + entry + "}\n";
  if (section == "joint") return body(mass) + "joints: {j: {" + entry + "}}\n";
  if (section == "force") return body(mass) + "forces: {j: {" + entry + "}}\n";
  for (const char* name : {"coupling", "drive", "sensor", "state", "table"}) {
    if (section == name) return body(mass) + section + "s: {j: {" + entry + "}}\n";
  }
  const std::string connection = body(mass) + "connections: {c: {";
  if (section == "connection") return connection + entry + "}}\n";
  if (section == "internal_node") return connection + "nodes: {j: {" + entry + "}}}}\n";
  if (section == "element") return connection + "elements: {j: {" + entry + "}}}}\n";
  if (section == "material") return body(mass) + "materials: {j: {" + entry + "}}\n";
  if (section == "cross_section") return body(mass) + "sections: {j: {" + entry + "}}\n";
  if (section == "flexible") return head + "flexible: {j: {" + entry + "}}\n";
  if (section == "flexible_frame") return head + "flexible: {j: {frames: {f: {" + entry + "}}}}\n";
  if (section == "flexible_load") return head + "flexible: {j: {loads: {f: {" + entry + "}}}}\n";
  if (section == "flexible_corner") return head + "flexible: {j: {corners: [{" + entry + "}]}}\n";
  if (section == "floating_body") {
    const std::string floating = key == "formulation" ? "" : "formulation: floating, ";
    return head + "flexible: {j: {" + floating + entry + "}}\n";
  }
  if (section == "floating_interface") {
    return head + "flexible: {j: {formulation: floating, interfaces: {f: {" + entry + "}}}}\n";
  }
  if (section == "beam_stiffness") {
    return body(mass) + "sections: {j: {stiffness: {" + entry + "}}}\n";
  }
  if (section == "method") return body(mass) + "simulation: {method: {" + entry + "}}\n";
  if (section == "frame") return body(mass + ", frames: {f: {" + entry + "}}");
  if (section == "orientation") return body(mass + ", orientation: {" + entry + "}");
  if (section == "shape") return body("shape: {" + entry + "}");
  if (section == "drawn_mesh") return body(mass + ", meshes: {" + entry + "}");
  if (section == "point") return body("kind: point, " + entry);
  if (section == "body") return body(entry);
  if (section == "assembly") return body(mass) + "assemblies: {s: {" + entry + "}}\n";
  const std::string instance = body(mass) + "assemblies: {s: {bodies: {}}}\ninstances: {i: {";
  if (section == "instance") {
    return instance + (key == "assembly" ? "" : "assembly: s, ") + entry + "}}\n";
  }
  if (section == "place") return instance + "assembly: s, place: {" + entry + "}}}\n";
  return body("shape: {" + section + ": {" + entry + "}}");
}

bool complains_about(const std::string& text, const std::string& key) {
  try {
    read_model_text(text, "test", test::vocabulary());
  } catch (const core::InputError& error) {
    for (const core::Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.path.find(key) != std::string::npos) return true;
    }
  }
  return false;
}

TEST(Keys, EveryKeyIsReadAndChecked) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const Section& section : sections()) {
      if (section.name == "orientation" && space == Space::planar) continue;
      const bool spatial = section.name == "beam_stiffness" || section.name == "flexible_corner" ||
                           section.name == "floating_body" || section.name == "floating_interface";
      if (spatial && space == Space::planar) continue;
      if (section.name == "flexible_load" && space == Space::spatial) continue;
      for (const Key& key : keys_in(section.keys, space)) {
        if (section.name == "model" && (key.name == "space" || key.name == "trammel")) continue;
        // A list of lists of maps is wrong in every form.
        const std::string text = model_with(space, section.name, key.name, "[[{x: 1}]]");
        const std::string about = key.name == "angle" && section.name == "orientation"
                                      ? "orientation"
                                  : section.name == "joint" || section.name == "force" ||
                                          section.name == "sensor" || section.name == "element"
                                      ? "j"
                                  : section.name == "orientation" ? "orientation"
                                                                  : key.name;
        EXPECT_TRUE(complains_about(text, about)) << text;
      }
    }
  }
}

TEST(Keys, FieldsOfKindsLookLikeKeys) {
  model::Field field;
  field.name = "axis";
  field.kind = model::FieldKind::direction;
  field.fallback = model::Value(Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(key_of(field, Space::planar).fallback, "[1, 0]");
  EXPECT_EQ(key_of(field, Space::spatial).fallback, "[1, 0, 0]");
  EXPECT_FALSE(key_of(field, Space::planar).required);
  field.fallback.reset();
  EXPECT_TRUE(key_of(field, Space::planar).required);
}

}  // namespace
}  // namespace trammel::io::keys_test
