#include "support/kkt_systems.h"

#include <algorithm>

#include "support/mechanisms.h"
#include "support/system_view.h"
#include <fmt/format.h>

#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::support {

using Eigen::MatrixXd;

KktProblem mass_and_jacobian(const model::Description& description, Random& random) {
  const auto system = model::compile(description);
  system::Motion motion = at_rest(*system, assembled(*system));
  // On the constraints, so that dependent rows are dependent to round-off.
  const MatrixXd allowed = allowed_velocities(constraint_jacobian(*system, motion.state));
  const system::Vector q = motion.state.q;
  system->retract(q, 1e-2 * allowed * random.values(allowed.cols()), motion.state.q);
  constraint_handling::ConsistentStart(*system).positions(motion.state, {});
  KktProblem problem{description.name, system::KktMatrix(system->pattern())};
  system->tangent(motion, {.acceleration = 1.0}, nullptr, problem.matrix);
  return problem;
}

std::vector<KktProblem> mechanism_problems() {
  Random random(31);
  std::vector<KktProblem> problems;
  for (const model::Description& d :
       {chain(12, model::Space::planar), chain(12, model::Space::spatial), four_bars(5),
        slider_crank(), heavy_top(), spatial_slider_crank(), bricard()}) {
    problems.push_back(mass_and_jacobian(d, random));
  }
  // Every hinge twice: all rows of the second one repeat those of the first.
  model::Description doubled = chain(8, model::Space::spatial);
  doubled.name = "chain with doubled hinges";
  const std::vector<model::Item> hinges = doubled.joints;
  for (model::Item hinge : hinges) {
    hinge.name += "_again";
    doubled.joints.push_back(hinge);
  }
  problems.push_back(mass_and_jacobian(doubled, random));
  return problems;
}

namespace {

struct Joint {
  int a = 0;
  int b = 0;
  int rows = 0;
  MatrixXd G_a;
  MatrixXd G_b;
};

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, Random& random) {
  MatrixXd m(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) m.col(j) = random.values(rows);
  return m;
}

class RandomGraph {
 public:
  RandomGraph(int bodies, int joints, int duplicates, Random& random) {
    for (int i = 0; i < bodies; ++i) {
      start_.push_back(size_);
      const int size = 1 + static_cast<int>(random.uniform(0.0, 6.0));
      const MatrixXd root = random_matrix(size, size, random);
      mass_.push_back(root * root.transpose() + 0.5 * MatrixXd::Identity(size, size));
      size_ += size;
    }
    for (int i = 0; i < joints; ++i) add_joint(bodies, random);
    // Fewer rows than velocities, or the first rows would be dependent already.
    while (rows() >= size_) joints_.pop_back();
    for (int i = 0; i < duplicates; ++i) joints_.push_back(joints_[static_cast<std::size_t>(i)]);
  }

  system::KktMatrix matrix() const {
    system::KktPatternBuilder builder(size_, rows());
    visit([&](int row, int column, double) { builder.add(row, column); });
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      builder.add_block(start_[i], static_cast<int>(mass_[i].rows()));
    }
    int row = size_;
    for (const Joint& joint : joints_) {
      builder.add_block(row, joint.rows);
      row += joint.rows;
    }
    system::KktMatrix result(std::make_shared<const system::KktPattern>(builder.build()));
    visit([&](int i, int j, double value) {
      result.values[static_cast<std::size_t>(result.pattern->find(i, j))] = value;
      result.values[static_cast<std::size_t>(result.pattern->find(j, i))] = value;
    });
    return result;
  }

 private:
  int rows() const {
    int sum = 0;
    for (const Joint& joint : joints_) sum += joint.rows;
    return sum;
  }

  void add_joint(int bodies, Random& random) {
    Joint joint;
    joint.a = static_cast<int>(random.uniform(0.0, bodies));
    do {
      joint.b = static_cast<int>(random.uniform(0.0, bodies));
    } while (joint.b == joint.a);
    const auto size = [&](int body) { return mass_[static_cast<std::size_t>(body)].rows(); };
    const auto most = static_cast<int>(std::min<Eigen::Index>(3, size(joint.a)));
    joint.rows = 1 + static_cast<int>(random.uniform(0.0, most));
    joint.G_a = random_matrix(joint.rows, size(joint.a), random);
    joint.G_b = random_matrix(joint.rows, size(joint.b), random);
    joints_.push_back(joint);
  }

  // Calls f(row, column, value) for the lower triangle.
  template <class F>
  void visit(F f) const {
    for (std::size_t i = 0; i < mass_.size(); ++i) visit(mass_[i], start_[i], start_[i], f);
    int row = size_;
    for (const Joint& joint : joints_) {
      visit(joint.G_a, row, start_[static_cast<std::size_t>(joint.a)], f);
      visit(joint.G_b, row, start_[static_cast<std::size_t>(joint.b)], f);
      row += joint.rows;
    }
  }

  template <class F>
  static void visit(const MatrixXd& block, int row, int column, F f) {
    for (int i = 0; i < block.rows(); ++i) {
      for (int j = 0; j < block.cols(); ++j) f(row + i, column + j, block(i, j));
    }
  }

  int size_ = 0;
  std::vector<int> start_;
  std::vector<MatrixXd> mass_;
  std::vector<Joint> joints_;
};

}  // namespace

KktProblem random_graph(int bodies, int joints, int duplicates, Random& random) {
  return {fmt::format("random graph of {} bodies and {} joints", bodies, joints),
          RandomGraph(bodies, joints, duplicates, random).matrix()};
}

}  // namespace trammel::support
