// The JSON Schema, tried by an independent validator (python3-jsonschema) where there is one.
#include "trammel/io/json_schema.h"

#include <cstdlib>

#include "support/scratch_folder.h"
#include "test_models.h"
#include <gtest/gtest.h>

namespace trammel::io {
namespace {

constexpr const char* validator = R"(
import json, sys
import yaml, jsonschema
class Loader(yaml.SafeLoader):
    pass
# YAML 1.2, as editors and Trammel read it: 'on' and 'yes' are words; numbers may be 1e3.
Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != 'tag:yaml.org,2002:bool']
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver('tag:yaml.org,2002:bool', __import__('re').compile('^(true|false)$'), list('tf'))
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
check = jsonschema.Draft7Validator(schema)
for path in sys.argv[2:]:
    try:
        file = open(path)
        model = json.load(file) if path.endswith('.json') else yaml.load(file, Loader)
        good = check.is_valid(model)
    except Exception:
        good = False
    print('good' if good else 'bad', path)
)";

/// "good" or "bad" for each file, or nothing when Python or the validator is not there.
std::vector<std::string> verdicts(const std::vector<std::filesystem::path>& files) {
  const support::ScratchFolder folder;
  const auto schema = folder / "schema.json";
  const auto script = folder / "validate.py";
  const auto output = folder / "verdicts.txt";
  std::ofstream(schema) << json_schema(test::vocabulary());
  std::ofstream(script) << validator;
  std::string command = "/usr/bin/python3 '" + script.string() + "' '" + schema.string() + "'";
  for (const auto& file : files) command += " '" + file.string() + "'";
  command += " > '" + output.string() + "'";
  if (std::system("/usr/bin/python3 -c 'import yaml, jsonschema' 2>/dev/null") != 0) return {};
  EXPECT_EQ(std::system(command.c_str()), 0) << "the validator failed";
  std::vector<std::string> words;
  std::istringstream lines(test::content(output));
  for (std::string line; std::getline(lines, line);)
    words.push_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(words.size(), files.size());
  return words;
}

TEST(JsonSchema, AcceptsAllGoodModels) {
  auto files = test::files_in("tests/data/good_models", {".yaml", ".json"});
  ASSERT_GE(files.size(), 3U);
  const auto words = verdicts(files);
  if (words.empty()) GTEST_SKIP() << "python3-jsonschema or python3-yaml is not installed";
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(words[i], "good") << files[i];
}

TEST(JsonSchema, RefusesModelsOfWrongForm) {
  // The mistakes that can be seen without understanding names, units and physics.
  std::vector<std::filesystem::path> files;
  for (const char* name : {"unknown_key",
                           "unknown_top_level_key",
                           "number_is_a_list",
                           "section_is_a_number",
                           "bodies_is_a_list",
                           "three_components_in_the_plane",
                           "two_components_in_space",
                           "missing_type",
                           "missing_between",
                           "missing_mass",
                           "missing_version",
                           "newer_version",
                           "missing_space",
                           "unknown_space",
                           "missing_bodies",
                           "unknown_joint_type",
                           "joint_of_the_other_space",
                           "key_of_the_other_space",
                           "not_a_direction",
                           "inertia_of_four_numbers",
                           "shape_and_mass",
                           "two_shapes",
                           "unknown_shape",
                           "mass_and_density",
                           "neither_mass_nor_density",
                           "incomplete_orientation",
                           "two_orientations",
                           "unknown_euler_sequence",
                           "point_mass_that_turns",
                           "unknown_kind",
                           "unknown_fixed_value",
                           "bad_name",
                           "one_frame_for_two",
                           "between_for_on",
                           "unknown_integrator",
                           "unknown_solver",
                           "unknown_setting_of_the_integrator",
                           "just_words",
                           "many_mistakes"}) {
    files.push_back(test::source_folder() / "tests/data/bad_models" /
                    (std::string(name) + ".yaml"));
  }
  const auto words = verdicts(files);
  if (words.empty()) GTEST_SKIP() << "python3-jsonschema or python3-yaml is not installed";
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(words[i], "bad") << files[i];
}

}  // namespace
}  // namespace trammel::io
