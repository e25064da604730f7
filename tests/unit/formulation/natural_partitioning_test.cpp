// Relative coordinates are the natural partitioning of [Chiou1990, sec. 5.4]: the matrix A of
// (5.4.1.14), built joint by joint from the blocks of the constraint Jacobian as the source does,
// spans what the hinges allow, and its reduced equations (5.2.5.10), (5.2.5.12) have the
// accelerations of the recursion. Velocities of bodies are those of the source: r' in world axes, w
// in body axes.
#include <map>

#include "random_tree.h"
#include "support/system_view.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"

namespace trammel::formulation::natural_partitioning_test {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using support::Random;
using system::Vector;

/// A model in relative coordinates at some state, with the matrices of its bodies.
struct Tree {
  std::unique_ptr<RelativeModel> system;
  system::State state;
  system::Motion absolute;  ///< of the state, with a = S' v
  MatrixXd S;               ///< velocities of bodies by those of hinges
  MatrixXd M;
  MatrixXd B;
  Vector gamma;
  Vector f;

  Tree(const model::Description& description, Random& random)
      : system(compile_relative(description)), state(system->described_state()) {
    const Vector x = random.values(system->sizes().v, 0.8);
    system->retract(state.q, x, state.q);
    state.v = random.values(system->sizes().v, 1.5);
    const Index n = system->sizes().v;
    system::Motion unit = support::at_rest(*system, state);
    S.resize(system->absolute().sizes().v, n);
    for (Index i = 0; i < n; ++i) {
      unit.state.v = Vector::Unit(n, i);
      S.col(i) = system->to_absolute(unit).state.v;
    }
    absolute = system->to_absolute(support::at_rest(*system, state));
    model::ModelSystem& bodies = system->absolute();
    const Index size = absolute.a.size();
    M = support::tangent_matrix(bodies, absolute, {.acceleration = 1.0}).topLeftCorner(size, size);
    B = support::constraint_jacobian(bodies, absolute.state);
    bodies.acceleration_bias(absolute.state, gamma);
    bodies.forces(absolute.state, f);
  }

  /// Of bodies, found by recursion.
  Vector accelerations() {
    system::Motion motion = support::at_rest(*system, state);
    EXPECT_TRUE(system->accelerations(state, motion.a, motion.lambda));
    return system->to_absolute(motion).a;
  }
};

double error(const MatrixXd& actual, const MatrixXd& expected) {
  return (actual - expected).lpNorm<Eigen::Infinity>() /
         std::max(1.0, expected.lpNorm<Eigen::Infinity>());
}

/// A by (5.4.1.8) to (5.4.1.14), E by its rows, and the bias A' u^i by the same recursion.
struct Partition {
  MatrixXd A;
  MatrixXd E;
  Vector bias;

  explicit Partition(Tree& tree) {
    const topology::Tree& graph = tree.system->tree();
    const Index n = tree.absolute.a.size();
    A = MatrixXd::Zero(n, tree.S.cols());
    E = MatrixXd::Zero(tree.S.cols(), n);
    bias = Vector::Zero(n);
    const std::vector<model::RowName> names = tree.system->absolute().row_names();
    // Bodies of the description, one behind the other.
    std::map<std::string, Index> place;
    const Index own = tree.system->absolute().sizes().v / graph.bodies();
    for (int k = 1; k <= graph.bodies(); ++k) {
      place[graph.vertex(k).name] = own * (graph.branch(k).vertex - 1);
    }
    Index column = 0;
    for (int k = 1; k <= graph.bodies(); ++k) {
      const topology::Branch& branch = graph.branch(k);
      const std::string joint =
          branch.edge < 0 ? "" : graph.graph().edges[static_cast<std::size_t>(branch.edge)].name;
      std::vector<Index> rows;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].joint == joint) rows.push_back(static_cast<Index>(i));
      }
      const Index child = place.at(graph.vertex(k).name);
      const Index parent = branch.parent == 0 ? -1 : place.at(graph.vertex(branch.parent).name);
      add(tree, rows, child, parent, own, column);
    }
    EXPECT_EQ(column, A.cols());
  }

 private:
  void add(const Tree& tree,
           const std::vector<Index>& rows,
           Index child,
           Index parent,
           Index own,
           Index& column) {
    const auto m = static_cast<Index>(rows.size());
    MatrixXd B_kk(m, own);
    MatrixXd of_parent = MatrixXd::Zero(m, A.cols());
    Vector parent_bias = Vector::Zero(m);
    for (Index i = 0; i < m; ++i) {
      const Index row = rows[static_cast<std::size_t>(i)];
      B_kk.row(i) = tree.B.block(row, child, 1, own);
      parent_bias[i] = tree.gamma[row];
      if (parent < 0) continue;
      of_parent.row(i) = tree.B.block(row, parent, 1, own) * A.middleRows(parent, own);
      parent_bias[i] += tree.B.block(row, parent, 1, own).row(0).dot(bias.segment(parent, own));
    }
    // Columns that receive pivots are dependent.
    std::vector<bool> dependent(static_cast<std::size_t>(own), false);
    if (m > 0) {
      const Eigen::FullPivLU<MatrixXd> lu(B_kk);
      for (Index i = 0; i < lu.rank(); ++i) {
        dependent[static_cast<std::size_t>(lu.permutationQ().indices()[i])] = true;
      }
    }
    std::vector<Index> d;
    for (Index i = 0; i < own; ++i) {
      if (dependent[static_cast<std::size_t>(i)]) {
        d.push_back(i);
        continue;
      }
      A(child + i, column) = 1.0;
      E(column, child + i) = 1.0;
      if (m > 0) of_parent.col(column) += B_kk.col(i);
      ++column;
    }
    if (d.empty()) return;
    MatrixXd B_d(m, static_cast<Index>(d.size()));
    for (std::size_t i = 0; i < d.size(); ++i) B_d.col(static_cast<Index>(i)) = B_kk.col(d[i]);
    const Eigen::ColPivHouseholderQR<MatrixXd> inverse(B_d);
    const MatrixXd found = -inverse.solve(of_parent);
    const Vector found_bias = -inverse.solve(parent_bias);
    for (std::size_t i = 0; i < d.size(); ++i) {
      A.row(child + d[i]) = found.row(static_cast<Index>(i));
      bias[child + d[i]] = found_bias[static_cast<Index>(i)];
    }
  }
};

// For every hinge of the catalogue, on trees with branches.
class NaturalPartitioning : public testing::TestWithParam<model::Space> {};

TEST_P(NaturalPartitioning, IsWhatTheHingesOfTheTreeAllow) {
  Random random(31);
  for (int round = 0; round < 3; ++round) {
    Tree tree(random_tree(GetParam(), false, random), random);
    const Partition natural(tree);
    // [B; E]^-1 = [C A].
    EXPECT_LE(error(tree.B * natural.A, MatrixXd::Zero(tree.B.rows(), natural.A.cols())), 1e-10);
    EXPECT_LE(error(natural.E * natural.A, MatrixXd::Identity(natural.A.cols(), natural.A.cols())),
              1e-12);
    // A spans what S spans: u^i = E S v. Random hinges stand anywhere, also where pivots are small.
    EXPECT_LE(error(natural.A * (natural.E * tree.S), tree.S), 1e-10);
    EXPECT_LE(error(natural.bias, tree.absolute.a - natural.A * (natural.E * tree.absolute.a)),
              1e-10);
  }
}

TEST_P(NaturalPartitioning, HasTheAccelerationsOfTheRecursion) {
  Random random(32);
  for (int round = 0; round < 3; ++round) {
    Tree tree(random_tree(GetParam(), false, random), random);
    const Partition natural(tree);
    const Vector expected = tree.accelerations();
    // A^T M A u^i'' = A^T (F - M A' u^i), then u'' = A u^i'' + A' u^i    (5.2.5.11), (5.2.5.12)
    const MatrixXd& A = natural.A;
    const Vector independent =
        (A.transpose() * tree.M * A).ldlt().solve(A.transpose() * (tree.f - tree.M * natural.bias));
    EXPECT_LE(error(A * independent + natural.bias, expected), 1e-10);
    // [A^T M; B] u'' = {A^T F; -B' u'}    (5.2.5.10)
    const Index n = tree.f.size();
    const Index freedoms = A.cols();
    MatrixXd both(freedoms + tree.B.rows(), n);
    both << A.transpose() * tree.M, tree.B;
    Vector right(both.rows());
    right << A.transpose() * tree.f, -tree.gamma;
    EXPECT_LE(error(both.colPivHouseholderQr().solve(right), expected), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         NaturalPartitioning,
                         testing::Values(model::Space::planar, model::Space::spatial),
                         [](const auto& info) {
                           return info.param == model::Space::planar ? "planar" : "spatial";
                         });

// ---- the closed forms of dependent blocks

struct Link {
  const char* type;
  int parent;     ///< -1: ground
  Vector3d near;  ///< on the link
  Vector3d far;   ///< on the parent
  Vector3d axis = Vector3d::UnitZ();
};

const Vector3d along = Vector3d(1, -2, 2) / 3.0;
const std::vector<Link> branched{{"spherical", -1, {-0.5, 0, 0.1}, {0, 0, 0}},
                                 {"revolute", 0, {-0.4, 0.1, 0}, {0.5, 0, 0}, along},
                                 {"spherical", 1, {-0.3, 0, 0}, {0.4, 0.2, 0}},
                                 {"fixed", 2, {-0.2, 0, 0.1}, {0.3, 0, 0}},
                                 {"cylindrical", 0, {0, 0.4, 0}, {0, -0.3, 0.2}, along},
                                 {"prismatic", 4, {0, 0.3, 0}, {0.1, -0.4, 0}, along}};

std::string link_name(int i) {
  return i < 0 ? "ground" : numbered("link", i);
}

model::Description branched_tree() {
  model::Description d;
  d.space = model::Space::spatial;
  d.gravity = {0, 0, -9.81};
  std::vector<Vector3d> places;
  for (std::size_t i = 0; i < branched.size(); ++i) {
    const Link& link = branched[i];
    const Vector3d parent =
        link.parent < 0 ? Vector3d::Zero() : places[static_cast<std::size_t>(link.parent)];
    places.push_back(parent + link.far - link.near);
    model::Body body;
    body.name = link_name(static_cast<int>(i));
    body.mass = {.mass = 1.0, .inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal()};
    body.position = places.back();
    body.frames = {{"near", link.near}};
    for (std::size_t j = i + 1; j < branched.size(); ++j) {
      if (branched[j].parent != static_cast<int>(i)) continue;
      body.frames.push_back({numbered("far", static_cast<int>(j)), branched[j].far});
    }
    d.add_body(body);
  }
  for (std::size_t i = 0; i < branched.size(); ++i) {
    const int k = static_cast<int>(i);
    const Link& link = branched[i];
    const std::string from =
        link.parent < 0 ? "ground" : link_name(link.parent) + numbered(".far", k);
    model::Values values;
    const std::string type(link.type);
    if (type != "spherical" && type != "fixed") values["axis"] = link.axis;
    d.add_joint(type, numbered("joint", k), from, link_name(k) + ".near", values);
  }
  return d;
}

Matrix3d cross(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// Rows of A for the links of the tree, with no inverse but those written down: of a spherical joint
// B^d = -1, (5.4.1.9); of a hinge with the axis e in the link's axes
//     w_k = (1 - e 1_c^T/e_c) Omega_p + e/e_c w_c,    Omega_p = R_k^T R_p w_p,    c = argmax |e_c|;
// sliding adds its rate along the axis.
struct ClosedForm {
  MatrixXd A;
  MatrixXd E;  ///< u^i = E u'

  explicit ClosedForm(const Tree& tree) {
    A = MatrixXd::Zero(tree.absolute.a.size(), tree.S.cols());
    E = MatrixXd::Zero(tree.S.cols(), A.rows());
    Index column = 0;
    for (std::size_t i = 0; i < branched.size(); ++i) add(tree.absolute.state.q, i, column);
    EXPECT_EQ(column, A.cols());
  }

 private:
  static Matrix3d rotation(const Vector& q, int body) {
    if (body < 0) return Matrix3d::Identity();
    const Vector e = q.segment(7 * body + 3, 4);
    return Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
  }
  static Vector3d place(const Vector& q, int body) {
    return body < 0 ? Vector3d::Zero() : Vector3d(q.segment<3>(7 * body));
  }

  void add(const Vector& q, std::size_t number, Index& column) {
    const int k = static_cast<int>(number);
    const Link& link = branched[number];
    const std::string type(link.type);
    const Matrix3d R = rotation(q, k);
    const Matrix3d R_p = rotation(q, link.parent);
    const Index own = 6 * k;
    MatrixXd parent_v = MatrixXd::Zero(3, A.cols());
    MatrixXd parent_w = parent_v;
    if (link.parent >= 0) {
      parent_v = A.middleRows(6 * link.parent, 3);
      parent_w = A.middleRows(6 * link.parent + 3, 3);
    }
    MatrixXd w = R.transpose() * R_p * parent_w;
    if (type == "spherical") {
      w.setZero();
      for (int i = 0; i < 3; ++i, ++column) select(w, i, own, column);
    } else if (type == "revolute" || type == "cylindrical") {
      const Vector3d& e = link.axis;
      Index c = 0;
      e.cwiseAbs().maxCoeff(&c);
      const Eigen::RowVectorXd omega = w.row(c);
      w -= e / e[c] * omega;
      w.col(column) += e / e[c];
      E(column, own + 3 + c) = 1.0;
      ++column;
    }
    // r_k = p_p + s - R_k l_k, with s = R_p a d where the joint slides.
    const Vector3d arm = R_p * link.far;
    Vector3d slid = Vector3d::Zero();
    if (type == "cylindrical" || type == "prismatic") {
      slid = place(q, k) + R * link.near - place(q, link.parent) - arm;
    }
    MatrixXd v = parent_v - cross(arm + slid) * R_p * parent_w + R * cross(link.near) * w;
    if (type == "cylindrical" || type == "prismatic") {
      // d' = a . (relative velocity of the points, less what the turning of the parent makes of s).
      const Vector3d a = R_p * link.axis;
      v.col(column) += a;
      E.row(column).segment(own, 3) = a.transpose();
      E.row(column).segment(own + 3, 3) = -a.transpose() * R * cross(link.near);
      if (link.parent >= 0) {
        E.row(column).segment(6 * link.parent, 3) = -a.transpose();
        E.row(column).segment(6 * link.parent + 3, 3) = a.transpose() * cross(arm + slid) * R_p;
      }
      ++column;
    }
    A.middleRows(own, 3) = v;
    A.middleRows(own + 3, 3) = w;
  }

  void select(MatrixXd& w, int i, Index own, Index column) {
    w(i, column) = 1.0;
    E(column, own + 3 + i) = 1.0;
  }
};

TEST(NaturalPartitioningByHand, OfSixLinksIsTheTreeOfTheModel) {
  Random random(33);
  for (int round = 0; round < 5; ++round) {
    Tree tree(branched_tree(), random);
    const ClosedForm closed(tree);
    const Index n = closed.A.cols();
    EXPECT_LE(error(tree.B * closed.A, MatrixXd::Zero(tree.B.rows(), n)), 1e-12);
    EXPECT_LE(error(closed.E * closed.A, MatrixXd::Identity(n, n)), 1e-12);
    // The same E, and A = S (E S)^-1.
    EXPECT_LE(error(closed.A, tree.S * (closed.E * tree.S).inverse()), 1e-12);
    EXPECT_LE(error(closed.A * (closed.E * tree.S), tree.S), 1e-12);
    // Accelerations of the reduced equations and of the recursion.
    const MatrixXd& A = closed.A;
    const Vector bias = tree.absolute.a - A * (closed.E * tree.absolute.a);
    const Vector reduced =
        (A.transpose() * tree.M * A).ldlt().solve(A.transpose() * (tree.f - tree.M * bias));
    EXPECT_LE(error(A * reduced + bias, tree.accelerations()), 1e-12);
  }
}

}  // namespace
}  // namespace trammel::formulation::natural_partitioning_test
