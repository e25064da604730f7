// The models of examples/floating: matrices from files beside the structure they stand for.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "unit/analysis/full_vocabulary.h"
#include "unit/analysis/recorded_run.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "trammel/analysis/statics.h"
#include "trammel/io/model_file.h"
#include "trammel/io/structure_files.h"

namespace trammel::analysis::floating_examples_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string folder() {
  return std::string(TRAMMEL_SOURCE_DIR) + "/examples/floating/";
}

model::Description example(const std::string& name, const io::Overrides& overrides = {}) {
  return io::read_model_file(folder() + name + ".yaml", full_vocabulary(), {.overrides = overrides})
      .description;
}

std::string content(const std::string& file) {
  std::ifstream stream(folder() + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The sag of the boom by its own matrices: the root held, the last three nodes tied to a frame,
// weight by the mass matrix and the load on the frame.
double sag_of_all_freedoms(double payload) {
  const MatrixXd M = MatrixXd(io::read_matrix_market(content("boom_mass.mtx"), ""));       // t
  const MatrixXd K = MatrixXd(io::read_matrix_market(content("boom_stiffness.mtx"), ""));  // N/mm
  const auto nodes = io::read_node_table(content("boom_nodes.csv"), "");
  const Eigen::Index inside = 81 - 9 - 9;
  // Columns: nodes 4 to 24, then displacement and turn of the head.
  MatrixXd S = MatrixXd::Zero(81, inside + 6);
  S.block(9, 0, inside, inside).setIdentity();
  Eigen::Vector3d head = Eigen::Vector3d::Zero();
  for (std::size_t i = 24; i < 27; ++i) head += nodes[i].position / 3.0;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Eigen::Vector3d r = nodes[static_cast<std::size_t>(24 + i)].position - head;
    S.block<3, 3>(72 + 3 * i, inside).setIdentity();
    S.block<3, 3>(72 + 3 * i, inside + 3) << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(),
        0.0;
  }
  VectorXd down = VectorXd::Zero(81);
  for (Eigen::Index i = 2; i < 81; i += 3) down[i] = -9810.0;  // mm/s^2
  VectorXd load = S.transpose() * (M * down);
  load[inside + 2] -= 1e-3 * payload * 9810.0;
  const VectorXd x = (S.transpose() * K * S).ldlt().solve(load);
  return 1e-3 * x[inside + 2];
}

TEST(FloatingExamples, BoomSagsAsAllItsFreedomsDo) {
  for (const double payload : {20.0, 200.0}) {
    const model::Description d = example("boom", {{"payload", std::to_string(payload) + " kg"}});
    const auto system = model::compile(d);
    const StaticsReport rest = statics(*system);
    std::vector<double> values(system->observables().size());
    system->accept(rest.motion.state);
    system->observe(rest.motion, values.data());
    double z = NAN;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (system->observables()[i].name == "boom.head.position.z") z = values[i];
    }
    const double exact = sag_of_all_freedoms(payload);
    EXPECT_LT(exact, -5e-3);
    // Shapes of moved interfaces are exact for the load; ten modes carry the weight of the boom.
    EXPECT_NEAR(z / exact, 1.0, 1e-4) << payload;
  }
}

// Few shapes beside ten geometrically exact elements: apart by vibrations that come late for want
// of stiffening by rotation. At 5 rad/s and 138 rad/s of the first mode that is W^2 t/(2 omega) =
// 0.2 of a vibration of a millimetre in 2 s.
TEST(FloatingExamples, StripIsWhereTheBeamOfAnyBendIs) {
  const RecordedRun run = recorded_run(example("beam"));
  double apart = 0.0;
  double way = 0.0;
  for (std::size_t i = 0; i < run.table.rows(); ++i) {
    Eigen::Vector3d few;
    Eigen::Vector3d all;
    for (int k = 0; k < 3; ++k) {
      const std::string axis = std::string(".position.") + "xyz"[k];
      few[k] = run.table.column("few.end" + axis)[i];
      all[k] = run.table.column("all.tip" + axis)[i];
    }
    apart = std::max(apart, (few - all).norm());
    way = std::max(way, (all - Eigen::Vector3d::UnitX()).norm());
  }
  EXPECT_GT(way, 1.5);
  EXPECT_LT(apart, 4e-4);
}

}  // namespace
}  // namespace trammel::analysis::floating_examples_test
