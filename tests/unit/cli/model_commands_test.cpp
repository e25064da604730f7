// The commands about the model file and its words: list, format, schema.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

// A program that ends with an error unless what it reads is JSON with these properties.
Answer python(const Folder& folder, const std::string& program) {
  return folder.run_program("/usr/bin/python3", {"-c", program});
}

TEST(List, ShowsEveryKindWithOneLine) {
  const Folder folder;
  const Answer answer = folder.run({"list"});
  EXPECT_EQ(answer.code, 0);
  for (const char* part : {"Joints", "revolute", "universal", "Forces", "spring", "Integrators",
                           "generalized-alpha", "Solvers", "klu"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
  EXPECT_FALSE(contains(folder.run({"list", "joints"}).out, "generalized-alpha"));
  EXPECT_TRUE(contains(folder.run({"list", "units"}).out, "rpm"));
}

TEST(List, JsonHasNameSpaceSummaryAndWhatJointsTell) {
  const Folder folder;
  folder.put("list.json", folder.run({"list", "--json"}).out);
  const Answer answer = python(folder, R"(
import json
data = json.load(open("list.json"))
assert list(data) == ["joints", "forces", "flexible", "couplings", "drives", "sensors", "integrators", "solvers"], list(data)
for kind in "joints", "forces":
    for entry in data[kind]:
        assert entry["space"] in ("planar", "spatial") and entry["summary"] and entry["name"], entry
for kind in "integrators", "solvers":
    for entry in data[kind]:
        assert set(entry) - {"also"} == {"name", "summary"} and entry["summary"], entry
for kind in "joints", "forces", "couplings", "drives":
    for entry in data[kind]:
        assert entry["mirrored"] or entry["not_mirrored_because"], entry
joints = {(entry["space"], entry["name"]): entry for entry in data["joints"]}
plane = joints["spatial", "planar"]
assert plane["allows"] == ["slide_x", "slide_y", "turn_z"] and plane["freedoms"] == 3, plane
assert plane["symbol"] == "ball", plane
assert "allows" not in joints["planar", "skate"] and joints["planar", "skate"]["closes_loops_only"]
assert joints["planar", "fixed"]["allows"] == [] and joints["spatial", "screw"]["mirrored_without"] == "axis_b"
)");
  EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST(List, MistypedTopicNamesTheNearest) {
  const Folder folder;
  const Answer answer = folder.run({"list", "jionts"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "did you mean 'joints'?")) << answer.err;
}

TEST(Format, PrintsChecksOrChangesInPlace) {
  const Folder folder;
  folder.put("model.yaml",
             "trammel:   1\nspace: planar   # plane\nbodies: {a: {mass: 1,inertia: 2}}\n");
  const std::string before = contents_of(folder / "model.yaml");

  const Answer printed = folder.run({"format", "model.yaml"});
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_TRUE(contains(printed.out, "trammel: 1\n"));
  EXPECT_TRUE(contains(printed.out, "# plane"));
  EXPECT_EQ(contents_of(folder / "model.yaml"), before);

  const Answer checked = folder.run({"format", "--check", "model.yaml"});
  EXPECT_EQ(checked.code, 2);
  EXPECT_TRUE(contains(checked.err, "--in-place")) << checked.err;
  EXPECT_EQ(contents_of(folder / "model.yaml"), before);

  EXPECT_EQ(folder.run({"format", "--in-place", "model.yaml"}).code, 0);
  EXPECT_EQ(contents_of(folder / "model.yaml"), printed.out);
  EXPECT_EQ(folder.run({"format", "--check", "model.yaml"}).code, 0);
}

TEST(Format, LeavesAFileThatIsNoYamlAlone) {
  const Folder folder;
  folder.put("model.yaml", "bodies: [\n");
  EXPECT_EQ(folder.run({"format", "--in-place", "model.yaml"}).code, 2);
  EXPECT_EQ(contents_of(folder / "model.yaml"), "bodies: [\n");
}

TEST(Schema, IsJsonThatKnowsTheJoints) {
  const Folder folder;
  const Answer schema = folder.run({"schema"});
  EXPECT_EQ(schema.code, 0);
  folder.put("schema.json", schema.out);
  const Answer answer = python(folder, R"(
import json
schema = json.load(open("schema.json"))
assert "$schema" in schema
assert "revolute" in json.dumps(schema)
)");
  EXPECT_EQ(answer.code, 0) << answer.err;
}

}  // namespace
}  // namespace trammel::cli::testing
