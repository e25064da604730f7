#include "trammel/system/kkt_matrix.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace trammel::system {
namespace {

// Two bodies of 2 and 1 velocities, a joint of 2 rows between them:
//     [ x x . | x . ]
//     [ x x x | x x ]
//     [ . x x | . x ]
//     [ x x . | d . ]
//     [ . x x | . d ]     d: diagonal, zero but in the pattern
KktPattern small_pattern() {
  KktPatternBuilder builder(3, 2);
  builder.add_block(3, 2);
  builder.add_block(0, 2);
  for (const auto& [row, column] :
       {std::pair{1, 0}, {2, 1}, {3, 0}, {3, 1}, {4, 1}, {4, 2}, {3, 0}}) {
    builder.add(row, column);
  }
  return builder.build();
}

Eigen::MatrixXd dense(const KktMatrix& matrix) {
  const KktPattern& p = *matrix.pattern;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(p.size(), p.size());
  for (int column = 0; column < p.size(); ++column) {
    for (int row = 0; row < p.size(); ++row) {
      const int position = p.find(row, column);
      if (position >= 0) result(row, column) = matrix.values[static_cast<std::size_t>(position)];
    }
  }
  return result;
}

KktMatrix numbered_matrix() {
  KktMatrix matrix(std::make_shared<const KktPattern>(small_pattern()));
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    matrix.values[i] = 1.0 + static_cast<double>(i);
  }
  return matrix;
}

TEST(KktPatternBuilder, CollectsEntriesOnceInAscendingColumns) {
  const KktPattern p = small_pattern();
  EXPECT_EQ(p.size(), 5);
  // K in full, G below it, G^T implied.
  EXPECT_EQ(p.column_start, (std::vector<int>{0, 3, 8, 11, 12, 13}));
  EXPECT_EQ(p.row, (std::vector<int>{0, 1, 3, 0, 1, 2, 3, 4, 1, 2, 4, 3, 4}));
  EXPECT_EQ(p.entries(), 13);
  EXPECT_EQ(p.find(1, 3), p.find(3, 1));
}

TEST(KktPatternBuilder, AddsMirrorImagesAndDiagonals) {
  const KktPattern p = small_pattern();
  for (int i = 0; i < p.size(); ++i) {
    EXPECT_GE(p.find(i, i), 0);
    EXPECT_EQ(p.diagonal[static_cast<std::size_t>(i)], p.find(i, i));
    for (int j = 0; j < p.size(); ++j) EXPECT_EQ(p.find(i, j) >= 0, p.find(j, i) >= 0);
  }
  EXPECT_EQ(p.find(2, 0), -1);
  EXPECT_EQ(p.find(4, 3), -1);
}

TEST(KktPatternBuilder, UncoveredUnknownsAreBlocksOfTheirOwn) {
  EXPECT_EQ(small_pattern().block_start, (std::vector<int>{0, 2, 3, 5}));
  KktPatternBuilder bare(2, 1);
  EXPECT_EQ(bare.build().block_start, (std::vector<int>{0, 1, 2, 3}));
  // Empty blocks do not count: a joint without rows, the ground without velocities.
  KktPatternBuilder empty(2, 0);
  empty.add_block(0, 2);
  empty.add_block(0, 0);
  EXPECT_EQ(empty.build().block_start, (std::vector<int>{0, 2}));
}

TEST(KktMatrix, MultipliesLikeTheDenseMatrix) {
  const KktMatrix matrix = numbered_matrix();
  Vector x(5);
  x << 1, -2, 3, 0.5, -1.5;
  Vector y;
  matrix.multiply(x, y);
  EXPECT_LE((y - dense(matrix) * x).norm(), 1e-13);
}

TEST(KktMatrix, AsymmetryLooksAtTheTangentOnly) {
  KktMatrix matrix(std::make_shared<const KktPattern>(small_pattern()));
  const auto set = [&](int row, int column, double value) {
    matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
  };
  EXPECT_EQ(matrix.asymmetry(), 0.0);
  set(0, 0, 4.0);
  set(0, 1, 1.0);
  set(1, 0, 1.0);
  set(3, 0, 7.0);  // G and G^T are not looked at
  EXPECT_EQ(matrix.asymmetry(), 0.0);
  set(1, 0, 3.0);
  EXPECT_EQ(matrix.asymmetry(), 0.5);
}

TEST(KktMatrix, FixedUnknownsDropOut) {
  KktMatrix matrix = numbered_matrix();
  const Eigen::MatrixXd before = dense(matrix);
  matrix.fix_unknown(1);
  const Eigen::MatrixXd after = dense(matrix);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const double expected = i == 1 || j == 1 ? (i == j ? 1.0 : 0.0) : before(i, j);
      EXPECT_EQ(after(i, j), expected) << i << ", " << j;
    }
  }
}

// Elements of large models name the same places many times: repetitions go before the list grows.
TEST(KktPatternBuilder, ForgetsRepetitionsOfLongLists) {
  constexpr int bodies = 300;
  const auto built = [](int times) {
    KktPatternBuilder builder(3 * bodies, bodies);
    for (int time = 0; time < times; ++time) {
      for (int body = 0; body < bodies; ++body) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) builder.add(3 * body + i, (3 * body + 3 + j) % (3 * bodies));
          builder.add(3 * bodies + body, 3 * body + i);
        }
      }
    }
    return builder.build();
  };
  const KktPattern once = built(1);
  const KktPattern often = built(900);  // 5.7 million entries
  EXPECT_EQ(often.column_start, once.column_start);
  EXPECT_EQ(often.row, once.row);
  EXPECT_EQ(once.entries(), 3 * bodies + bodies + 2 * 9 * bodies + 3 * bodies);
}

}  // namespace
}  // namespace trammel::system
