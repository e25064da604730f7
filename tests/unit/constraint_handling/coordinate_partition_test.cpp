// Partitions of coordinates: what they choose, what they leave out, and what follows from them.
#include "trammel/constraint_handling/coordinate_partition.h"

#include "support/mechanisms.h"
#include "support/redundant_twins.h"
#include "support/system_view.h"
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "trammel/constraint_handling/independent_coordinates.h"
#include "trammel/constraint_handling/rank.h"
#include "trammel/model/model_system.h"

namespace trammel::constraint_handling::coordinate_partition_test {
namespace {

using system::Vector;

struct Posed {
  std::unique_ptr<model::ModelSystem> system;
  system::State state;
  system::KktMatrix matrix;

  explicit Posed(const model::Description& description)
      : system(model::compile(description)),
        state(support::assembled(*system)),
        matrix(system->pattern()) {
    const system::Motion motion = support::at_rest(*system, state);
    system->tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  }
  Eigen::MatrixXd scaled_rows(const std::vector<int>& rows) const {
    const Eigen::MatrixXd all = support::constraint_jacobian(*system, state) *
                                Eigen::MatrixXd(system->displacement_scale().asDiagonal());
    Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()), all.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result.row(static_cast<Eigen::Index>(i)) = all.row(rows[i]).normalized();
    }
    return result;
  }
};

std::vector<model::Description> mechanisms() {
  return {support::slider_crank(), support::four_bars(3), support::spatial_slider_crank(),
          support::bricard(),      support::heavy_top(),  support::chain(4, model::Space::spatial)};
}

TEST(CoordinatePartition, HasAsManyDependentCoordinatesAsIndependentRows) {
  for (const model::Description& description : mechanisms()) {
    SCOPED_TRACE(description.name);
    Posed posed(description);
    const RankReport rank = constraint_rank(*posed.system, posed.state);
    for (const PartitionMethod method : {PartitionMethod::lu, PartitionMethod::qr}) {
      for (const bool scaled : {true, false}) {
        const CoordinatePartition p =
            partition_coordinates(*posed.system, posed.matrix, {method, scaled, {}});
        EXPECT_EQ(static_cast<int>(p.rows.size()), rank.rank);
        EXPECT_EQ(static_cast<int>(p.rows.size() + p.redundant.size()), rank.rows);
        EXPECT_EQ(p.dependent.size(), p.rows.size());
        EXPECT_EQ(p.freedoms(), posed.system->sizes().v - rank.rank);
        EXPECT_EQ(p.carried, 0);
        // Phi_u is far from singular.
        const Eigen::MatrixXd rows = posed.scaled_rows(p.rows);
        Eigen::MatrixXd u(rows.rows(), rows.rows());
        for (std::size_t i = 0; i < p.dependent.size(); ++i) {
          u.col(static_cast<Eigen::Index>(i)) = rows.col(p.dependent[i]);
        }
        const Vector values = Eigen::JacobiSVD<Eigen::MatrixXd>(u).singularValues();
        if (scaled) {
          EXPECT_GT(values.minCoeff(), 1e-3 * values.maxCoeff());
        }
        EXPECT_GT(values.minCoeff(), 1e-6 * values.maxCoeff());
      }
    }
  }
}

TEST(CoordinatePartition, NamesRedundantRows) {
  for (const support::Twins& twins : support::redundant_twins()) {
    SCOPED_TRACE(twins.name);
    Posed posed(twins.redundant);
    const RankReport rank = constraint_rank(*posed.system, posed.state);
    const CoordinatePartition p = partition_coordinates(*posed.system, posed.matrix, {});
    EXPECT_EQ(p.redundant.size(), rank.redundant.size());
    // What is kept is independent.
    EXPECT_EQ(support::rank_of(posed.scaled_rows(p.rows), 1e-8), static_cast<int>(p.rows.size()));
  }
}

// G X = 1, P X = 0, G Z = 0, P Z = 1 by what the class answers, for few rows (dense), many rows
// (along the graph) and a plane.
void expect_inverse(Posed& posed, const CoordinatePartition& partition) {
  IndependentCoordinates coordinates(*posed.system, "block-ldlt");
  coordinates.set_partition(partition);
  ASSERT_TRUE(coordinates.factor(posed.matrix));
  const Eigen::MatrixXd G = support::constraint_jacobian(*posed.system, posed.state);
  const Eigen::MatrixXd& Z = coordinates.basis();
  const double size = G.cwiseAbs().maxCoeff() * Z.cwiseAbs().maxCoeff();
  EXPECT_LT((G * Z).cwiseAbs().maxCoeff(), 1e-10 * size);
  Vector p;
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    coordinates.project(Z.col(j), p);
    EXPECT_LT((p - Vector::Unit(Z.cols(), j)).norm(), 1e-10);
  }
  const Vector rows = Vector::LinSpaced(G.rows(), -1.0, 2.0);
  Vector x;
  coordinates.fulfil(rows, x);
  const Vector fulfilled = G * x;
  for (const int row : partition.rows) EXPECT_NEAR(fulfilled[row], rows[row], 1e-9);
  coordinates.project(x, p);
  EXPECT_LT(system::largest(p), 1e-9 * (1.0 + system::largest(x)));
  // The transposed: lambda . rows = r . X rows.
  const Vector r = Vector::LinSpaced(G.cols(), 1.0, -0.5);
  Vector lambda;
  coordinates.multipliers(r, lambda);
  double work = 0.0;
  for (const int row : partition.rows) work += lambda[row] * rows[row];
  EXPECT_NEAR(work, r.dot(x), 1e-8 * (std::abs(work) + r.norm() * x.norm()));
}

TEST(IndependentCoordinates, AreTheInverseOfTheRowsAndThemselves) {
  for (const model::Description& description : mechanisms()) {
    SCOPED_TRACE(description.name);
    Posed posed(description);
    for (const PartitionMethod method : {PartitionMethod::lu, PartitionMethod::qr,
                                         PartitionMethod::svd, PartitionMethod::null_space}) {
      expect_inverse(posed, partition_coordinates(*posed.system, posed.matrix, {method, true, {}}));
    }
  }
}

TEST(IndependentCoordinates, AreFoundAlongTheGraphOfLargeModels) {
  // 150 rows: factors along the graph.
  Posed posed(support::hanging_chain(30, model::Space::spatial));
  expect_inverse(posed, partition_coordinates(*posed.system, posed.matrix, {}));
  // 120 * 181 entries of Phi are still judged densely, 1000 * 1200 are not.
  Posed large(support::hanging_chain(200, model::Space::spatial));
  const CoordinatePartition p = partition_coordinates(*large.system, large.matrix, {});
  EXPECT_EQ(p.freedoms(), 200);
  EXPECT_TRUE(p.redundant.empty());
  expect_inverse(large, p);
}

TEST(IndependentCoordinates, KnowTheirCondition) {
  Posed posed(support::slider_crank());
  const CoordinatePartition p = partition_coordinates(*posed.system, posed.matrix, {});
  IndependentCoordinates coordinates(*posed.system, "block-ldlt");
  coordinates.set_partition(p);
  ASSERT_TRUE(coordinates.factor(posed.matrix));
  const Eigen::MatrixXd rows = posed.scaled_rows(p.rows);
  Eigen::MatrixXd u(rows.rows(), rows.rows());
  for (std::size_t i = 0; i < p.dependent.size(); ++i) {
    u.col(static_cast<Eigen::Index>(i)) = rows.col(p.dependent[i]);
  }
  const double exact = rows.cwiseAbs().colwise().sum().maxCoeff() *
                       Eigen::MatrixXd(u.inverse()).cwiseAbs().colwise().sum().maxCoeff();
  // Hager's estimate is a lower bound, and mostly exact.
  EXPECT_LE(coordinates.condition(), exact * (1.0 + 1e-10));
  EXPECT_GE(coordinates.condition(), exact / 3.0);
}

TEST(CoordinatePartition, KeepsWhatIsWanted) {
  Posed posed(support::slider_crank());
  const int n = posed.system->sizes().v;
  int possible = 0;
  for (int component = 0; component < n; ++component) {
    const CoordinatePartition p = partition_coordinates(*posed.system, posed.matrix,
                                                        {PartitionMethod::lu, true, {component}});
    const CoordinatePartition free = partition_coordinates(*posed.system, posed.matrix, {});
    if (p.rows.size() != free.rows.size()) continue;
    ++possible;
    ASSERT_EQ(p.freedoms(), 1);
    EXPECT_EQ(p.independent[0], component);
  }
  // The slider moves along x: neither its y nor its angle can lead.
  EXPECT_GT(possible, 3);
  EXPECT_LE(possible, n - 2);
}

}  // namespace
}  // namespace trammel::constraint_handling::coordinate_partition_test
