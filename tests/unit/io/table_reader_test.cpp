#include "trammel/io/table_reader.h"

#include <numbers>
#include <string>

#include "folder_test.h"
#include <gtest/gtest.h>

namespace trammel::io::table_reader_test {
namespace {

using Tables = test::FolderTest;
using Texts = std::vector<std::string>;

std::string model_with(const std::string& tables) {
  return "trammel: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\ntables:\n" + tables;
}

TEST_F(Tables, ComeFromPointsWithTheirInterpolation) {
  write("model.yaml",
        model_with("  lift: {points: [[0, 0], [1, 2], [3, 4]], interpolation: linear, "
                   "extrapolation: extend}\n"));
  const auto tables = read("model.yaml").description.tables;
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0]->name(), "lift");
  EXPECT_DOUBLE_EQ(tables[0]->value(0.5), 1.0);
  EXPECT_DOUBLE_EQ(tables[0]->value(2.0), 3.0);
  EXPECT_DOUBLE_EQ(tables[0]->value(5.0), 6.0);
}

TEST_F(Tables, ComeFromColumnsOfCsvFilesBesideTheModel) {
  write("parts/motion.csv", "time,angle,load\n# a remark\n0,0,5\n\n1, +1.5 ,6\n2,3,7e0\n");
  write("model.yaml",
        model_with("  angle: {csv: parts/motion.csv, interpolation: linear}\n"
                   "  load: {csv: parts/motion.csv, columns: [1, 3], interpolation: linear}\n"));
  const auto tables = read("model.yaml").description.tables;
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_DOUBLE_EQ(tables[0]->value(0.5), 0.75);
  EXPECT_DOUBLE_EQ(tables[0]->value(1.5), 2.25);
  EXPECT_DOUBLE_EQ(tables[1]->value(1.5), 6.5);
}

TEST_F(Tables, AreGivenInAnyUnits) {
  write("torque.csv", "ms,N mm\n0,0\n10,500\n");
  write("model.yaml", model_with("  lift: {points: [[0, 0], [180, 12]], x_unit: deg, y_unit: mm, "
                                 "interpolation: linear}\n"
                                 "  torque: {csv: torque.csv, x_unit: ms, y_unit: N mm, "
                                 "interpolation: linear}\n"));
  const auto tables = read("model.yaml").description.tables;
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_NEAR(tables[0]->value(0.5 * std::numbers::pi), 6e-3, 1e-17);
  EXPECT_NEAR(tables[1]->value(5e-3), 0.25, 1e-15);
  write("wrong.yaml", model_with("  lift: {points: [[0, 0], [1, 1]], x_unit: degs, y_unit: 2}\n"));
  const Texts found = mistakes("wrong.yaml");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].find("'degs' is not a unit"), std::string::npos) << found[0];
  EXPECT_NE(found[1].find("'2' is not a unit"), std::string::npos) << found[1];
}

TEST_F(Tables, TellWhatIsWrongWithThem) {
  write("words.csv", "0,0\n1,one\n");
  write("short.csv", "0\n1\n");
  write("model.yaml", model_with("  none: {csv: absent.csv}\n"
                                 "  words: {csv: words.csv}\n"
                                 "  short: {csv: short.csv}\n"
                                 "  odd: {csv: words.csv, columns: [0, 2]}\n"
                                 "  both: {csv: words.csv, points: [[0, 0], [1, 1]]}\n"
                                 "  back: {points: [[0, 0], [2, 1], [1, 1]]}\n"));
  const Texts found = mistakes("model.yaml");
  ASSERT_EQ(found.size(), 6U);
  const char* expected[] = {"absent.csv",
                            "words.csv, line 2: no number in column 2",
                            "short.csv, line 1: no number in column 2",
                            "0 is not the number of a column",
                            "points",
                            "row 3"};
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NE(found[i].find("model.yaml:" + std::to_string(5 + i)), std::string::npos) << found[i];
    EXPECT_NE(found[i].find(expected[i]), std::string::npos) << found[i];
  }
}

}  // namespace
}  // namespace trammel::io::table_reader_test
