#include "trammel/io/include_files.h"

#include <string>
#include <vector>

#include "folder_test.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

using IncludeFiles = test::FolderTest;

using Texts = std::vector<std::string>;
constexpr const char* start = "trammel: 1\nspace: planar\n";

TEST_F(IncludeFiles, AddSectionsRelativeToTheFileThatNamesThem) {
  write("model.yaml",
        std::string(start) + "include: parts/leg.yaml\nparameters: {size: 2}\n" +
            "instances: {left: {assembly: leg}}\nbodies: {hip: {mass: 1, inertia: 1}}\n");
  write("parts/leg.yaml",
        "include: [foot.yaml]\nassemblies:\n  leg:\n    bodies: {shin: {mass: size, inertia: 1}}\n"
        "    instances: {foot: {assembly: foot}}\n");
  write("parts/foot.yaml", std::string(start) +
                               "assemblies: {foot: {bodies: {toe: {mass: 1, inertia: 1}}}}\n"
                               "ground: {frames: {floor: [0, -1]}}\n");
  const ModelFile file = read("model.yaml");
  ASSERT_EQ(file.description.bodies.size(), 3U);
  EXPECT_EQ(file.description.bodies[2].name, "left.foot.toe");
  EXPECT_EQ(file.description.bodies[1].mass.mass, 2.0);
  EXPECT_EQ(file.description.ground_frames.at(0).name, "floor");
  ASSERT_EQ(file.included.size(), 2U);
  EXPECT_EQ(file.included[1].path, path("parts/foot.yaml"));
}

TEST_F(IncludeFiles, AreReadOnceWhenSeveralFilesNameThem) {
  write("model.yaml", std::string(start) + "include: [a.yaml, b.yaml]\n");
  write("a.yaml", "include: common.yaml\nbodies: {a: {mass: weight, inertia: 1}}\n");
  write("b.yaml", "include: ./common.yaml\nbodies: {b: {mass: weight, inertia: 1}}\n");
  write("common.yaml", "parameters: {weight: 3}\n");
  EXPECT_EQ(read("model.yaml").description.bodies.size(), 2U);
}

TEST_F(IncludeFiles, CyclesAreRefusedWithTheChain) {
  write("model.yaml", std::string(start) + "include: a.yaml\nbodies: {x: {mass: 1, inertia: 1}}\n");
  write("a.yaml", "\ninclude: parts/b.yaml\n");
  write("parts/b.yaml", "include: ../a.yaml\n");
  EXPECT_EQ(mistakes("model.yaml"),
            (Texts{"parts/b.yaml:1: files include each other: a.yaml -> parts/b.yaml -> a.yaml; "
                   "remove one of these includes"}));
}

TEST_F(IncludeFiles, MistakesAreToldInTheIncludedFile) {
  write("model.yaml", std::string(start) + "include: part.yaml\n");
  write("part.yaml",
        "bodies:\n  a: {mass: -1, inertia: 1}\njoints:\n"
        "  pin: {type: revolute, between: [ground, b]}\ngravity: [0, 0]\n");
  EXPECT_EQ(mistakes("model.yaml"),
            (Texts{"part.yaml:2: '-1' is not above zero; give a positive value",
                   "part.yaml:4: there is no body 'b'; did you mean 'a'?",
                   "part.yaml:5: 'gravity' cannot be included; write it into the model file "
                   "itself"}));
}

TEST_F(IncludeFiles, NameClashesTellBothPlaces) {
  write("model.yaml",
        std::string(start) + "include: part.yaml\nbodies: {a: {mass: 1, inertia: 1}}\n");
  write("part.yaml", "bodies:\n\n  a: {mass: 1, inertia: 1}\n");
  EXPECT_EQ(mistakes("model.yaml"),
            (Texts{"part.yaml:3: this name is given twice; the first one is "
                   "in model.yaml:4; rename or remove one"}));
}

TEST_F(IncludeFiles, OtherSpacesFoldersAndMissingFilesAreRefused) {
  write("model.yaml", std::string(start) +
                          "include: [part.yaml, parts, prat.yaml, [x]]\n"
                          "bodies: {a: {mass: 1, inertia: 1}}\n");
  write("part.yaml", "space: spatial\n");
  EXPECT_EQ(mistakes("model.yaml"),
            (Texts{"model.yaml:3: 'parts' is a folder; name a file in it",
                   "model.yaml:3: there is no file 'prat.yaml'; did you mean 'part.yaml'?",
                   "model.yaml:3: this is not the name of a file; write e.g. include: "
                   "[parts/wheel.yaml]",
                   "part.yaml:1: 'space' is 'spatial' here, but 'planar' in the file that includes "
                   "this one; include files of the same kind"}));
}

TEST_F(IncludeFiles, WhatIsNoYamlIsToldWithItsFile) {
  write("model.yaml", std::string(start) + "include: part.yaml\n");
  write("part.yaml", "bodies: {a: [\n");
  ASSERT_EQ(mistakes("model.yaml").size(), 1U);
  EXPECT_EQ(mistakes("model.yaml")[0].rfind("part.yaml:2: ", 0), 0U) << mistakes("model.yaml")[0];
}

}  // namespace
}  // namespace trammel::io
