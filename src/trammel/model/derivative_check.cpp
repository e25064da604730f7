#include "trammel/model/derivative_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/connections/node_motion.h"
#include "trammel/model/mechanism_parts.h"
#include "trammel/model/node_state.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double relative_tolerance = 1e-6;
constexpr double step = 1e-4;
constexpr double noise_margin = 20.0;  // of the distance of two estimates

const char* freedom_name(Space space, int freedom) {
  static const char* const planar[] = {"x", "y", "angle"};
  static const char* const spatial[] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  return space == Space::planar ? planar[freedom] : spatial[freedom];
}

/// Derivatives by differences, and how far they can be trusted.
struct Differences {
  MatrixXd value;
  MatrixXd uncertainty;
};

/// f'(0) from central differences C(w) = (f(w) - f(-w))/(2 w) of four widths. Their extrapolations
/// R(w) = (4 C(w/2) - C(w))/3 have errors that grow as w^4, and from rounding as 1/w: where two
/// neighbours agree best, both are small, and their distance tells how small.
Differences extrapolated(double h, const std::function<VectorXd(double x)>& f) {
  constexpr int widths = 4;  // 4 h, 2 h, h and h/2
  std::vector<VectorXd> central;
  for (int i = 0; i < widths; ++i) {
    const double w = std::ldexp(h, 2 - i);
    VectorXd change = f(w);
    change -= f(-w);
    central.emplace_back(change / (2.0 * w));
  }
  Differences best;
  for (std::size_t i = 0; i + 2 < widths; ++i) {
    const VectorXd wide = (4.0 * central[i + 1] - central[i]) / 3.0;
    const VectorXd narrow = (4.0 * central[i + 2] - central[i + 1]) / 3.0;
    const VectorXd distance = (wide - narrow).cwiseAbs();
    if (i == 0) best = {narrow, distance};
    for (Index k = 0; k < distance.size(); ++k) {
      if (distance[k] < best.uncertainty(k, 0)) {
        best.value(k, 0) = narrow[k];
        best.uncertainty(k, 0) = distance[k];
      }
    }
  }
  return best;
}

template <class S>
class DerivativeChecker {
 public:
  using Kinematics = typename S::Kinematics;
  using Value = std::function<VectorXd()>;

  DerivativeChecker(std::vector<Kinematics> nodes,
                    double t,
                    double size,
                    std::vector<std::string> names)
      : nodes_(std::move(nodes)), names_(std::move(names)), t_(t), size_(size) {}

  std::vector<Kinematics>& nodes() { return nodes_; }
  std::vector<DerivativeMismatch> take() { return std::move(found_); }

  // ---- elements between two nodes

  void check(const std::string& name, const Force<S>& force) {
    const std::vector<int> pair{force.node_a(), force.node_b()};
    const Value value = [&] {
      PairVector<S> f;
      force.evaluate(at(pair[0]), at(pair[1]), t_, f);
      return VectorXd(f);
    };
    PairMatrix<S> f_q;
    PairMatrix<S> f_v;
    force.tangent(at(pair[0]), at(pair[1]), t_, f_q, f_v);
    compare(name, "df/dx", f_q, by_position(pair, value), pair, pair, value());
    compare(name, "df/dv", f_v, by_velocity(pair, value), pair, pair, value());
  }

  void check(const std::string& name, const Constraint<S>& constraint) {
    const std::vector<int> pair{constraint.node_a(), constraint.node_b()};
    const int rows = constraint.rows();
    const auto jacobian = [&](VectorXd* g) {
      typename Constraint<S>::Rows value;
      typename Constraint<S>::Jacobian G;
      G.setZero();
      constraint.linearise(at(pair[0]), at(pair[1]), t_, value, G);
      if (g != nullptr) *g = value.head(rows);
      return MatrixXd(G.topRows(rows));
    };
    const Value value = [&] {
      VectorXd g;
      jacobian(&g);
      return g;
    };
    const Differences by =
        constraint.holonomic() ? by_position(pair, value) : by_velocity(pair, value);
    compare(name, constraint.holonomic() ? "G" : "A", jacobian(nullptr), by, {}, pair, value());

    VectorXd lambda(rows);
    for (double& entry : lambda) entry = uniform_(random_);
    PairMatrix<S> K = PairMatrix<S>::Zero();
    constraint.add_stiffness(at(pair[0]), at(pair[1]), t_, lambda.data(), 1.0, K);
    const Value load = [&] { return VectorXd(jacobian(nullptr).transpose() * lambda); };
    compare(name, "d(G^T lambda)/dx", K, by_position(pair, load), pair, pair, load());

    typename Constraint<S>::Rows gamma;
    constraint.bias(at(pair[0]), at(pair[1]), t_, gamma);
    const PairVector<S> v = pair_velocity<S>(at(pair[0]), at(pair[1]));
    const Value rate = [&] { return VectorXd(jacobian(nullptr) * v); };
    compare(name, "gamma", gamma.head(rows), along(pair, v, rate), {}, {}, rate());
  }

  // ---- elements of formulas

  void check(const std::string& name, const Law<S>& law, const Place<S>& place) {
    const std::vector<int>& nodes = law.nodes().nodes();
    work_.reserve(law.local_size());
    const Value value = [&] {
      law.evaluate(place, work_);
      return VectorXd(work_.row.head(law.local_size()));
    };
    law.tangent(place, work_);
    const MatrixXd f_q = work_.matrix;
    const MatrixXd f_v = work_.second_matrix;
    compare(name, "df/dx", f_q, by_position(nodes, value), nodes, nodes, value());
    compare(name, "df/dv", f_v, by_velocity(nodes, value), nodes, nodes, value());
  }

  void check(const std::string& name, const Relation<S>& relation, const Place<S>& place) {
    const std::vector<int>& nodes = relation.nodes().nodes();
    const int size = relation.local_size();
    const bool position = relation.level() == RelationLevel::position;
    work_.reserve(size);
    const Value value = [&] {
      return VectorXd(VectorXd::Constant(1, relation.linearise(place, work_)));
    };
    const Value row = [&] {
      relation.linearise(place, work_);
      return VectorXd(work_.row.head(size));
    };
    const Differences by = position ? by_position(nodes, value) : by_velocity(nodes, value);
    compare(name, position ? "G" : "A", row().transpose(), by, {}, nodes, value());
    relation.stiffness(place, 1.0, work_);
    const MatrixXd K = work_.matrix.topLeftCorner(size, size);
    compare(name, "d(G^T lambda)/dx", K, by_position(nodes, row), nodes, nodes, row());
  }

  void check(const std::string& name,
             const ElasticConnection<S>& connection,
             const typename ElasticConnection<S>::Setting& setting) {
    const std::vector<int>& nodes = connection.nodes().nodes();
    const int size = connection.local_size();
    setting.work.reserve(connection.workspace_size());
    auto memory = connection.memory();
    VectorXd f(size);
    const Value value = [&] {
      connection.evaluate(setting, memory, f);
      return f;
    };
    value();
    MatrixXd K = MatrixXd::Zero(size, size);
    MatrixXd D = MatrixXd::Zero(size, size);
    connection.tangent(setting, memory, K, D);
    compare(name, "df/dx", K, by_position(nodes, value), nodes, nodes, value());
    if (!connection.flows()) return;
    compare(name, "df/dv", D, by_velocity(nodes, value), nodes, nodes, value());
  }

  void compare(const std::string& name,
               const std::string& quantity,
               const MatrixXd& exact,
               const Differences& difference,
               const std::vector<int>& row_nodes,
               const std::vector<int>& column_nodes,
               const VectorXd& value) {
    if (exact.size() == 0) return;
    // What is left of an error beyond the noise of the difference.
    const MatrixXd error =
        (exact - difference.value).cwiseAbs() - noise_margin * difference.uncertainty;
    const double scale = std::max(largest(exact), largest(difference.value));
    Index i = 0;
    Index j = 0;
    const double worst = error.maxCoeff(&i, &j);
    if (worst <= relative_tolerance * scale + 1e-9 * (1e-3 + largest(value))) return;
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const auto& mismatch) {
      return mismatch.element == name && mismatch.quantity == quantity;
    });
    if (known) return;
    found_.push_back({name, quantity,
                      entry(row_nodes, i, "row") +
                          (column_nodes.empty() ? "" : " by " + entry(column_nodes, j, "state")),
                      exact(i, j), difference.value(i, j)});
  }

 private:
  Kinematics& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  // NaN counts as large.
  static double largest(const MatrixXd& matrix) {
    double most = 0.0;
    for (const double x : matrix.reshaped()) most = std::abs(x) > most ? std::abs(x) : most;
    return most;
  }

  std::string entry(const std::vector<int>& nodes, Index number, const char* otherwise) const {
    if (nodes.empty()) return fmt::format("{} {}", otherwise, number + 1);
    const auto node =
        static_cast<std::size_t>(nodes[static_cast<std::size_t>(number / S::freedoms)]);
    return fmt::format("{} of '{}'", freedom_name(S::space, static_cast<int>(number % S::freedoms)),
                       node < names_.size() ? names_[node] : std::to_string(node));
  }

  // Of value() while move(x) displaces something by x.
  static Differences difference(double h,
                                const std::function<void(double)>& move,
                                const Value& value) {
    Differences found = extrapolated(h, [&](double x) {
      move(x);
      return value();
    });
    move(0.0);
    return found;
  }

  Differences by_position(const std::vector<int>& nodes, const Value& value) {
    return columns(nodes, [&](int node, int freedom) {
      const Kinematics from = at(node);
      const double h = freedom < S::dimension ? step * size_ : step;
      return difference(
          h,
          [&](double x) {
            Eigen::Matrix<double, S::freedoms, 1> motion;
            motion.setZero();
            motion[freedom] = x;
            at(node) = from;
            if (x != 0.0) move_node(motion.data(), from, at(node));
          },
          value);
    });
  }

  Differences by_velocity(const std::vector<int>& nodes, const Value& value) {
    return columns(nodes, [&](int node, int freedom) {
      const Kinematics from = at(node);
      return difference(
          freedom < S::dimension ? step * size_ : step,
          [&](double x) {
            at(node) = from;
            add_velocity(at(node), freedom, x);
          },
          value);
    });
  }

  static void add_velocity(Kinematics& k, int freedom, double x) {
    if (freedom < S::dimension) {
      k.v[freedom] += x;
    } else if constexpr (S::space == Space::planar) {
      k.w += x;
    } else {
      k.w[freedom - 3] += x;
    }
  }

  template <class Column>
  Differences columns(const std::vector<int>& nodes, const Column& column) {
    Differences all;
    Index j = 0;
    for (const int node : nodes) {
      for (int freedom = 0; freedom < S::freedoms; ++freedom, ++j) {
        const Differences one = column(node, freedom);
        if (j == 0) {
          const Index count = static_cast<Index>(nodes.size()) * S::freedoms;
          all.value.setZero(one.value.rows(), count);
          all.uncertainty.setZero(one.value.rows(), count);
        }
        all.value.col(j) = one.value;
        all.uncertainty.col(j) = one.uncertainty;
      }
    }
    return all;
  }

  // The derivative by time while both nodes move with these velocities.
  Differences along(const std::vector<int>& pair, const PairVector<S>& v, const Value& value) {
    const Kinematics a = at(pair[0]);
    const Kinematics b = at(pair[1]);
    const double scale = std::max(1.0, v.template lpNorm<Eigen::Infinity>() / size_);
    return difference(
        step / scale,
        [&](double x) {
          const PairVector<S> motion = x * v;
          at(pair[0]) = a;
          at(pair[1]) = b;
          if (x == 0.0) return;
          move_node(motion.data(), a, at(pair[0]));
          move_node(motion.data() + S::freedoms, b, at(pair[1]));
        },
        value);
  }

  std::vector<Kinematics> nodes_;
  std::vector<std::string> names_;
  double t_;
  double size_;
  FormulaWorkspace<S> work_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> uniform_{0.3, 1.0};
  std::vector<DerivativeMismatch> found_;
};

// ---- a whole model

// Rows of kinematic connections are those of closed joints.
template <class S>
void check_elements(const Mechanism<S>& m,
                    const system::State& state,
                    bool closed,
                    DerivativeChecker<S>& checker) {
  const std::vector<double> turns = wrapping_angles(m, checker.nodes());
  const Place<S> place{checker.nodes(), state.t, state.z, turns};
  for (const MechanismJoint<S>& joint : m.joints) {
    if (!closed && joint.type == "connection") continue;
    for (int c = 0; c < joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(joint.first_constraint + c);
      checker.check(fmt::format("joint '{}'", joint.name), *m.constraints[index]);
    }
  }
  for (const NamedForce<S>& named : m.forces) {
    checker.check(fmt::format("force '{}'", named.name), *named.force);
  }
  for (const NamedLaw<S>& named : m.laws) {
    checker.check(fmt::format("force '{}'", named.name), named.law, place);
  }
  for (const NamedRelation<S>& named : m.relations) {
    checker.check(fmt::format("{} '{}'", named.drive ? "drive" : "coupling", named.name),
                  named.relation, place);
  }
  FormulaWorkspace<S> work;
  for (const NamedConnection<S>& named : m.connections) {
    checker.check(fmt::format("connection '{}'", named.name), *named.connection,
                  {checker.nodes(), state.t, state.z, turns, work, m.states});
  }
}

template <class S>
void check_state_rates(system::FirstOrderStates& system,
                       const Mechanism<S>& m,
                       system::State state,
                       DerivativeChecker<S>& checker) {
  // Rates of states that are places of nodes are differentiated by differences anyway.
  if (m.states.empty()) return;
  MatrixXd exact;
  Differences differences{MatrixXd(m.sizes.z, m.sizes.z), MatrixXd(m.sizes.z, m.sizes.z)};
  VectorXd value;
  system.rate_tangent(state, exact);
  system.rates(state, value);
  for (int j = 0; j < m.sizes.z; ++j) {
    const double z = state.z[j];
    const double h = step * std::max(1.0, std::abs(z));
    const Differences one = extrapolated(h, [&](double x) {
      VectorXd rates;
      state.z[j] = z + x;
      system.rates(state, rates);
      return rates;
    });
    state.z[j] = z;
    differences.value.col(j) = one.value;
    differences.uncertainty.col(j) = one.uncertainty;
  }
  for (int i = 0; i < static_cast<int>(m.states.size()); ++i) {
    const std::string name = "state '" + m.states[static_cast<std::size_t>(i)].name + "'";
    checker.compare(name, "dz'/dz", exact.row(i),
                    {differences.value.row(i), differences.uncertainty.row(i)}, {}, {},
                    value.segment(i, 1));
  }
}

template <class S>
std::vector<DerivativeMismatch> check_model(const Description& description,
                                            const system::State& start) {
  const auto mechanism = build_mechanism<S>(description);
  MechanismSystem<S> system(mechanism);
  std::vector<std::string> names;
  for (const Node<S>& node : mechanism->nodes) names.push_back(node.name);
  DerivativeChecker<S> checker({}, start.t, mechanism->size, names);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr int states = 4;  // the start, with other velocities, and some nearby
  for (int i = 0; i < states; ++i) {
    system::State state = start;
    if (i > 0) {
      VectorXd x(mechanism->sizes.v);
      for (Index k = 0; k < x.size(); ++k) {
        x[k] = i > 1 ? 0.02 * uniform(random) * mechanism->displacement_scale[k] : 0.0;
        state.v[k] += uniform(random) * mechanism->displacement_scale[k];
      }
      for (double& z : state.z) z += 0.02 * uniform(random) * std::max(1.0, std::abs(z));
      system.retract(start.q, x, state.q);
    }
    checker.nodes() = kinematics_at(*mechanism, state);
    check_elements(*mechanism, state, i < 2, checker);
    if (auto* states = system.first_order_states()) {
      check_state_rates(*states, *mechanism, state, checker);
    }
  }
  return checker.take();
}

template <class S, class Element>
std::vector<DerivativeMismatch> check_single(const Element& element,
                                             const std::vector<typename S::Kinematics>& nodes,
                                             double t,
                                             double size) {
  DerivativeChecker<S> checker(nodes, t, size, {});
  checker.check("element", element);
  return checker.take();
}

}  // namespace

std::vector<DerivativeMismatch> check_derivatives(Description description,
                                                  const system::State& state) {
  core::Diagnostics diagnostics;
  check(description, diagnostics);
  diagnostics.throw_if_errors();
  return description.space == Space::planar ? check_model<Planar>(description, state)
                                            : check_model<Spatial>(description, state);
}

template <class S>
std::vector<DerivativeMismatch> check_derivatives(const Force<S>& force,
                                                  const std::vector<typename S::Kinematics>& nodes,
                                                  double t,
                                                  double size) {
  return check_single<S>(force, nodes, t, size);
}

template <class S>
std::vector<DerivativeMismatch> check_derivatives(const Constraint<S>& constraint,
                                                  const std::vector<typename S::Kinematics>& nodes,
                                                  double t,
                                                  double size) {
  return check_single<S>(constraint, nodes, t, size);
}

template std::vector<DerivativeMismatch> check_derivatives(const Force<Planar>&,
                                                           const std::vector<Planar::Kinematics>&,
                                                           double,
                                                           double);
template std::vector<DerivativeMismatch> check_derivatives(const Force<Spatial>&,
                                                           const std::vector<Spatial::Kinematics>&,
                                                           double,
                                                           double);
template std::vector<DerivativeMismatch> check_derivatives(const Constraint<Planar>&,
                                                           const std::vector<Planar::Kinematics>&,
                                                           double,
                                                           double);
template std::vector<DerivativeMismatch> check_derivatives(const Constraint<Spatial>&,
                                                           const std::vector<Spatial::Kinematics>&,
                                                           double,
                                                           double);

}  // namespace trammel::model
