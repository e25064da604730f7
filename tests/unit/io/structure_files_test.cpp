#include "trammel/io/structure_files.h"

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"

namespace trammel::io::structure_files_test {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    read_matrix_market(text, "m.mtx");
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MatrixMarket, ReadsTheFourKinds) {
  const Eigen::Matrix2d expected = (Eigen::Matrix2d() << 4.0, -1.5, -1.5, 2e3).finished();
  const std::string begin = "%%MatrixMarket matrix ";
  const std::vector<std::string> texts{
      begin + "coordinate real symmetric\n% a comment\n\n2 2 3\n1 1 4\n2 1 -1.5\n2 2 2E+3\n",
      begin + "coordinate real general\r\n2 2 4\r\n1 1 4.0\r\n2 1 -1.5\r\n1 2 -1.5\r\n2 2 2e3\r\n",
      begin + "array real symmetric\n2 2\n4\n-1.5\n2000",
      begin + "ARRAY Real General\n2 2\n4\n-1.5\n-1.5\n2000\n"};
  for (const std::string& text : texts) {
    EXPECT_EQ(Eigen::Matrix2d(read_matrix_market(text, "m.mtx")), expected) << text;
  }
}

TEST(MatrixMarket, TellsWhatIsWrongWithLineAndRemedy) {
  const auto expect = [](const std::string& text, const std::string& words) {
    const std::string told = refusal_of(text);
    EXPECT_NE(told.find(words), std::string::npos) << text << "\n" << told;
  };
  const std::string begin = "%%MatrixMarket matrix coordinate real symmetric\n";
  expect("1 2 3\n", "m.mtx, line 1: it is no matrix in the format of Matrix Market");
  expect("", "it is no matrix");
  expect("%%MatrixMarket matrix coordinate complex general\n", "'coordinate complex general'");
  expect(begin, "rows and columns is missing");
  expect(begin + "2 3 1\n1 1 1\n", "line 2: the matrix has 2 rows and 3 columns");
  expect(begin + "2 2 2\n1 1 1\n", "the file ends after 1 of 2 entries");
  expect(begin + "2 2 1\n1 2 1\n", "line 3: row 1, column 2 is above the diagonal");
  expect(begin + "2 2 1\n3 1 1\n", "'3' is no row; give a whole number from 1 to 2");
  expect(begin + "2 2 1\n1 1 nan\n", "'nan' is no finite number");
  expect(begin + "2 2 1\n1 1\n", "an entry is a row, a column and a value");
  expect(begin + "2 2 1\n1 1 1\n2 2 2\n", "line 4: there is more than the matrix");
}

TEST(NodeTable, TakesTitlesCommentsAndAnySeparator) {
  const auto nodes =
      read_node_table("name; x; y; z\n# first\n7;0;1.5;-2\nhub; 1e-3;0;0\n", "n.csv");
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[1].name, "hub");
  EXPECT_EQ(nodes[0].position, Eigen::Vector3d(0.0, 1.5, -2.0));
  EXPECT_THROW(read_node_table("1 0 0\n", "n.csv"), core::InputError);
  EXPECT_THROW(read_node_table("1 0 0 0\n1 1 0 0\n", "n.csv"), core::InputError);
  EXPECT_THROW(read_node_table("1 0 0 x\n", "n.csv"), core::InputError);
  EXPECT_THROW(read_node_table("# nothing\n", "n.csv"), core::InputError);
}

TEST(FreedomTable, NamesTheRowsOfMatrices) {
  const std::vector<model::StructureNode> nodes{{"1"}, {"22"}};
  const auto rows = read_freedom_table("1.1\n22.6\n1 3\n", "f.dof", nodes);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].node, 1);
  EXPECT_EQ(rows[1].direction, 5);
  EXPECT_EQ(rows[2].direction, 2);
  for (const char* wrong : {"1.7\n", "1\n", "3.1\n", "1.1\n1.1\n", "1 2 3\n"}) {
    EXPECT_THROW(read_freedom_table(wrong, "f.dof", nodes), core::InputError) << wrong;
  }
  EXPECT_EQ(freedoms_in_order(2, 12).back().direction, 5);
  EXPECT_EQ(freedoms_in_order(2, 6).back().direction, 2);
}

// In the model file: two masses on a bar cannot hold a frame; everything else is told by key.
TEST(FloatingReader, ReadsAnExampleAndTellsMistakes) {
  const std::string folder = std::string(TRAMMEL_SOURCE_DIR) + "/examples/floating/";
  const model::Description d =
      read_model_file(folder + "boom.yaml", test::vocabulary()).description;
  ASSERT_EQ(d.flexible_bodies.size(), 1u);
  EXPECT_EQ(d.flexible_bodies[0].elements, 16);  // ten modes and one moved interface
  EXPECT_EQ(d.amplitudes[0].value.size(), 16);
  const auto told = [&](const std::string& keys) {
    const std::string text =
        "trammel: 1\nspace: spatial\nflexible:\n  boom:\n    formulation: floating\n" + keys +
        "joints:\n  pin: {type: revolute, between: [ground, boom.root], axis: z}\n";
    const std::string path = folder + "not_there.yaml";
    try {
      read_model_text(text, path, test::vocabulary());
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string files =
      "    mass: boom_mass.mtx\n    stiffness: boom_stiffness.mtx\n    nodes: boom_nodes.csv\n";
  const std::string good = files + "    interfaces: {root: [1, 2, 3]}\n";
  const auto expect = [&](const std::string& keys, const std::string& words) {
    const std::string text = told(keys);
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(text.find("boom.root"), std::string::npos) << text;  // not told as well
  };
  EXPECT_EQ(told(good), "");
  expect(good + "    modes: 100\n", "72 freedoms with mass; take at most 72");
  expect(files + "    interfaces: {root: [1, 2, 300]}\n", "there is no node '300'");
  expect(files + "    interfaces: {root: 1}\n", "displacements along x, y and z only");
  expect(good + "    freedoms: boom_nodes.csv\n", "it is no node with a direction");
  expect(good + "    beam: {elements: 1}\n", "exclude each other");
  expect("    interfaces: {root: 1}\n    mass: boom_mass.mtx\n", "belong together");
  expect(good + "    modes: 2.5\n", "no number of modes");
  expect(good + "    line: [1, 99]\n", "there is no node '99'");
}

}  // namespace
}  // namespace trammel::io::structure_files_test
