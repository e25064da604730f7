// The matrices of the source, built as it builds them, against the recursions [Sol1983, 4.3, 5.2,
// 6.2]: acceptance test 1.
//
// Rows of W, V and U are Lagrange coordinates, columns are hinges, entries vectors. B and C have
// the pattern of the location matrix: +b of the second endpoint where a branch ends, -b of the
// first endpoint and -c, the vector between them, where it starts.
#include "random_tree.h"
#include "support/finite_differences.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"
#include "trammel/formulation/hinge_tree.h"
#include "trammel/formulation/tree_motion.h"
#include "trammel/math/rotation.h"

namespace trammel::formulation::source_matrices_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using system::Vector;

// A matrix of vectors.
class VectorMatrix {
 public:
  VectorMatrix(Index rows, Index columns)
      : columns_(columns), entries_(static_cast<std::size_t>(rows * columns), Vector3d::Zero()) {}

  Vector3d& operator()(Index i, Index j) { return entries_[index(i, j)]; }
  const Vector3d& operator()(Index i, Index j) const { return entries_[index(i, j)]; }
  Index rows() const { return static_cast<Index>(entries_.size()) / columns_; }
  Index columns() const { return columns_; }

 private:
  std::size_t index(Index i, Index j) const { return static_cast<std::size_t>(i * columns_ + j); }

  Index columns_;
  std::vector<Vector3d> entries_;
};

VectorMatrix operator*(const VectorMatrix& A, const MatrixXd& T) {
  VectorMatrix product(A.rows(), T.cols());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < T.cols(); ++j) {
      for (Index k = 0; k < A.columns(); ++k) product(i, j) += T(k, j) * A(i, k);
    }
  }
  return product;
}

// The product with cross products.
VectorMatrix cross_product(const VectorMatrix& A, const VectorMatrix& B) {
  VectorMatrix product(A.rows(), B.columns());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < B.columns(); ++j) {
      for (Index k = 0; k < A.columns(); ++k) product(i, j) += A(i, k).cross(B(k, j));
    }
  }
  return product;
}

// What a hinge tells of itself, world axes [Sol1983, 3.2.2].
struct HingeTerms {
  Vector3d b_first;   ///< from the parent's centre of mass to the first endpoint
  Vector3d b_second;  ///< from the body's centre of mass to the second one
  Vector3d c;
  std::vector<Vector3d> v;
  std::vector<Vector3d> w;
  Vector3d v_rate = Vector3d::Zero();  ///< v = sum v_m q_m'
  Vector3d w_rate = Vector3d::Zero();
  Vector3d v_00;
  Vector3d w_00;
};

class SourceTree {
 public:
  SourceTree(const model::Description& description, const system::State& state)
      : mechanism_(model::build_mechanism<Spatial>(description)),
        topology_(topology::spanning_tree(graph_of(description))),
        tree_(std::make_shared<const HingeTree<Spatial>>(
            build_hinge_tree(description, *mechanism_, topology_))),
        motion_(tree_, mechanism_),
        state_(state),
        count_(static_cast<Index>(tree_->hinges.size())) {
    motion_.set_positions(state.q);
    for (const auto& hinge : tree_->hinges) terms_.push_back(terms_of(hinge));
  }

  const HingeTree<Spatial>& tree() const { return *tree_; }
  const model::Mechanism<Spatial>& mechanism() const { return *mechanism_; }
  Vector3d position(std::size_t k) const { return motion_.node_position(tree_->hinges[k].node); }
  Eigen::Matrix3d rotation(std::size_t k) const {
    return motion_.node_rotation(tree_->hinges[k].node);
  }

  MatrixXd T() const { return topology_.tree_matrix().cast<double>(); }

  // (5.2.14): B + C with the row of the ground first.
  VectorMatrix arms() const {
    const Eigen::MatrixXi L = topology_.location_matrix();
    VectorMatrix sum(L.rows(), L.cols());
    for (Index k = 0; k < L.cols(); ++k) {
      const HingeTerms& hinge = terms_[static_cast<std::size_t>(k)];
      for (Index i = 0; i < L.rows(); ++i) {
        if (L(i, k) == 1) sum(i, k) = hinge.b_second;
        if (L(i, k) == -1) sum(i, k) = -hinge.b_first - hinge.c;
      }
    }
    return sum;
  }
  // B + C of the bodies.
  VectorMatrix body_arms() const {
    const VectorMatrix all = arms();
    VectorMatrix part(count_, count_);
    for (Index i = 0; i < count_; ++i) {
      for (Index k = 0; k < count_; ++k) part(i, k) = all(i + 1, k);
    }
    return part;
  }

  VectorMatrix W() const { return by_coordinate(&HingeTerms::w); }
  VectorMatrix V() const { return by_coordinate(&HingeTerms::v); }
  // (5.2.23).
  VectorMatrix U() const {
    VectorMatrix U = V();
    const VectorMatrix turned = cross_product(W() * T(), body_arms());
    for (Index i = 0; i < U.rows(); ++i) {
      for (Index k = 0; k < count_; ++k) U(i, k) -= turned(i, k);
    }
    return U;
  }

  // T^T W00 and T^T U00 (5.2.10, 11, 26, 28): accelerations at q'' = 0.
  void bias(const VectorMatrix& omega, VectorMatrix& turning, VectorMatrix& moving) const {
    VectorMatrix W00(1, count_);
    VectorMatrix V00(1, count_);
    for (Index k = 0; k < count_; ++k) {
      const HingeTerms& hinge = terms_[static_cast<std::size_t>(k)];
      const int parent = topology_.branch(static_cast<int>(k) + 1).parent;
      const Vector3d w_i = parent == 0 ? Vector3d::Zero() : omega(0, parent - 1);
      const Vector3d w_j = omega(0, k);
      W00(0, k) = hinge.w_00 + w_i.cross(hinge.w_rate);
      V00(0, k) = w_i.cross(w_i.cross(hinge.b_first)) - w_j.cross(w_j.cross(hinge.b_second)) +
                  w_i.cross(w_i.cross(hinge.c) + 2.0 * hinge.v_rate) + hinge.v_00;
    }
    turning = W00 * T();
    // (B + C)^T * (T^T W00): the cross product the other way round.
    const VectorMatrix turned = cross_product(turning, body_arms());
    for (Index k = 0; k < count_; ++k) V00(0, k) -= turned(0, k);
    moving = V00 * T();
  }

  Index count() const { return count_; }

 private:
  HingeTerms terms_of(const TreeHinge<Spatial>& hinge) const {
    HingeTerms terms;
    const Eigen::Matrix3d R = motion_.node_rotation(hinge.parent);
    Vector3d first = Vector3d::Zero();
    Vector3d second = Vector3d::Zero();
    if (hinge.joint >= 0) {
      const auto& joint = mechanism_->joints[static_cast<std::size_t>(hinge.joint)];
      first = hinge.reversed ? joint.b.l : joint.a.l;
      second = hinge.reversed ? joint.a.l : joint.b.l;
    }
    const std::vector<double> q(state_.q.data() + hinge.q,
                                state_.q.data() + hinge.q + hinge.hinge.coordinates());
    const Vector rates = state_.v.segment(hinge.v, hinge.velocities);
    Pose<Spatial> X;
    const auto columns = hinge.hinge.columns(q.data(), X);
    const Vector3d reach = X.p + X.rotation() * second;  // of the second endpoint, parent's axes
    for (Index m = 0; m < columns.cols(); ++m) {
      const Vector3d w = columns.col(m).tail<3>();
      terms.w.push_back(R * w);
      terms.v.push_back(R * (columns.col(m).head<3>() + w.cross(reach)));
      terms.w_rate += rates[m] * terms.w.back();
      terms.v_rate += rates[m] * terms.v.back();
    }
    terms.b_first = R * first;
    terms.b_second = R * X.rotation() * second;
    terms.c = R * (reach - first);
    // Remainders at q'' = 0: rates of the components in the parent's axes.
    const Vector remainder = support::first_derivative([&](double s) {
      std::vector<double> later = q;
      const Vector x = s * rates;
      hinge.hinge.move(x.data(), later.data());
      Pose<Spatial> there;
      const Eigen::Matrix<double, 6, 1> twist = hinge.hinge.columns(later.data(), there) * rates;
      const Vector3d w = twist.tail<3>();
      Vector both(6);
      both << twist.head<3>() + w.cross(there.p + there.rotation() * second), w;
      return both;
    });
    terms.v_00 = R * remainder.head<3>();
    terms.w_00 = R * remainder.tail<3>();
    return terms;
  }

  VectorMatrix by_coordinate(std::vector<Vector3d> HingeTerms::*part) const {
    VectorMatrix matrix(tree_->velocities, count_);
    for (Index k = 0; k < count_; ++k) {
      const auto& columns = terms_[static_cast<std::size_t>(k)].*part;
      const int first = tree_->hinges[static_cast<std::size_t>(k)].v;
      for (std::size_t m = 0; m < columns.size(); ++m) {
        matrix(first + static_cast<Index>(m), k) = columns[m];
      }
    }
    return matrix;
  }

  std::shared_ptr<const model::Mechanism<Spatial>> mechanism_;
  topology::Tree topology_;
  std::shared_ptr<const HingeTree<Spatial>> tree_;
  TreeMotion<Spatial> motion_;
  system::State state_;
  Index count_;
  std::vector<HingeTerms> terms_;
};

struct Case {
  std::unique_ptr<RelativeModel> system;
  std::unique_ptr<SourceTree> source;
  system::State state;
};

Case random_case(unsigned seed) {
  support::Random random(seed);
  model::Description d = random_tree(model::Space::spatial, false, random);
  core::Diagnostics diagnostics;
  model::check(d, diagnostics);
  diagnostics.throw_if_errors();
  Case one;
  one.system = compile_relative(d);
  one.state = one.system->described_state();
  one.system->retract(one.state.q, random.values(one.system->sizes().v, 0.8), one.state.q);
  one.state.v = random.values(one.system->sizes().v, 1.5);
  one.source = std::make_unique<SourceTree>(d, one.state);
  return one;
}

class SourceMatrices : public testing::TestWithParam<unsigned> {};

TEST_P(SourceMatrices, GivePositions) {
  const Case one = random_case(GetParam());
  const VectorMatrix arms = one.source->arms();
  const MatrixXd T = one.source->T();
  // r = -((B0 + C0) T)^T - ((B + C) T)^T 1 (5.2.17).
  const VectorMatrix all = arms * T;
  for (Index k = 0; k < one.source->count(); ++k) {
    Vector3d r = Vector3d::Zero();
    for (Index i = 0; i < all.rows(); ++i) r -= all(i, k);
    const Vector3d expected = one.source->position(static_cast<std::size_t>(k));
    EXPECT_LE((r - expected).norm(), 1e-12 * std::max(1.0, expected.norm()));
  }
}

// omega = (W T)^T q', r' = (U T)^T q', A = sum (m U^T U + W^T J W) against the recursions, 1e-12;
// accelerations at q'' = 0 from W00 and U00, 1e-8 since their remainders are differences.
TEST_P(SourceMatrices, GiveVelocitiesMassMatrixAndAccelerations) {
  Case one = random_case(GetParam());
  const SourceTree& source = *one.source;
  const VectorMatrix WT = source.W() * source.T();
  const VectorMatrix UT = source.U() * source.T();
  const system::Motion motion = support::at_rest(*one.system, one.state);
  const system::Motion absolute = one.system->to_absolute(motion);
  const Index n = one.state.v.size();
  MatrixXd A = MatrixXd::Zero(n, n);
  VectorMatrix omega(1, source.count());
  for (Index k = 0; k < source.count(); ++k) {
    const auto number = static_cast<std::size_t>(k);
    const auto& node =
        source.mechanism().nodes[static_cast<std::size_t>(source.tree().hinges[number].node)];
    const Eigen::Matrix3d R = source.rotation(number);
    MatrixXd U(3, n);
    MatrixXd W(3, n);
    for (Index m = 0; m < n; ++m) {
      U.col(m) = UT(m, k);
      W.col(m) = WT(m, k);
    }
    omega(0, k) = W * one.state.v;
    const Vector3d velocity = U * one.state.v;
    EXPECT_LE((velocity - absolute.state.v.segment<3>(node.v)).norm(),
              1e-12 * std::max(1.0, velocity.norm()));
    EXPECT_LE((omega(0, k) - R * absolute.state.v.segment<3>(node.v + 3)).norm(),
              1e-12 * std::max(1.0, omega(0, k).norm()));
    A += node.mass * U.transpose() * U + W.transpose() * R * node.inertia * R.transpose() * W;
  }
  const MatrixXd M = support::tangent_matrix(*one.system, motion, {.acceleration = 1.0});
  EXPECT_LE((A - M).lpNorm<Eigen::Infinity>(), 1e-12 * M.lpNorm<Eigen::Infinity>());

  VectorMatrix turning(1, source.count());
  VectorMatrix moving(1, source.count());
  source.bias(omega, turning, moving);
  for (Index k = 0; k < source.count(); ++k) {
    const auto number = static_cast<std::size_t>(k);
    const auto& node =
        source.mechanism().nodes[static_cast<std::size_t>(source.tree().hinges[number].node)];
    const Vector3d expected = absolute.a.segment<3>(node.v);
    const Vector3d spin = source.rotation(number) * absolute.a.segment<3>(node.v + 3);
    EXPECT_LE((moving(0, k) - expected).norm(), 1e-8 * std::max(1.0, expected.norm()));
    EXPECT_LE((turning(0, k) - spin).norm(), 1e-8 * std::max(1.0, spin.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, SourceMatrices, testing::Values(31U, 32U, 33U));

}  // namespace
}  // namespace trammel::formulation::source_matrices_test
