#include "trammel/model/flexible/reduction.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/math/rotation.h"
#include "trammel/model/flexible/lowest_modes.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Factors = Eigen::SimplicialLDLT<SparseSquare, Eigen::Lower, Eigen::AMDOrdering<int>>;

/// Freedoms after nodes were tied: six of each interface, then those inside; u = S of these.
struct Tied {
  SparseSquare S;
  SparseSquare M;
  SparseSquare K;
  Index held = 0;  ///< six for each interface
  std::vector<Vector3d> places;
  std::vector<Eigen::Matrix3d> axes;
  Index inside() const { return S.cols() - held; }
};

class Reducer {
 public:
  Reducer(const Structure& structure,
          const std::vector<StructureInterface>& interfaces,
          const ReductionOptions& options,
          const std::string& path,
          core::Diagnostics& diagnostics)
      : s_(structure), interfaces_(interfaces), o_(options), path_(path), d_(diagnostics) {}

  std::optional<ReducedStructure> run() {
    if (!find_rows()) return std::nullopt;
    tie();
    if (!check_counts()) return std::nullopt;
    const bool free = o_.reduction == Reduction::free_modes;
    MatrixXd basis = free ? free_basis() : craig_bampton_basis();
    if (d_.has_errors()) return std::nullopt;
    take_out_rigid_motions(basis);
    if (!make_modes(basis)) return std::nullopt;
    return finished();
  }

 private:
  void error(const std::string& key, std::string message, std::string remedy) {
    d_.error(path_ + "." + key, std::move(message), std::move(remedy));
  }

  // Interfaces --------------------------------------------------------------------------------

  /// The rows of every node by direction; -1: it has no such freedom.
  bool find_rows() {
    rows_.assign(s_.nodes.size(), {-1, -1, -1, -1, -1, -1});
    for (Index row = 0; row < s_.size(); ++row) {
      const StructureFreedom& f = s_.freedoms[static_cast<std::size_t>(row)];
      rows_[static_cast<std::size_t>(f.node)][static_cast<std::size_t>(f.direction)] = row;
    }
    members_.clear();
    std::set<int> used;
    for (const StructureInterface& each : interfaces_) {
      std::vector<std::size_t> nodes;
      for (const std::string& name : each.nodes) {
        const int node = s_.find(name);
        if (node < 0) {
          std::vector<std::string> known;
          for (const StructureNode& other : s_.nodes) {
            if (known.size() < 2000) known.push_back(other.name);
          }
          error("interfaces." + each.name, fmt::format("there is no node '{}'", name),
                core::suggestion(name, known));
          continue;
        }
        if (!used.insert(node).second) {
          error("interfaces." + each.name,
                fmt::format("the node '{}' is part of two interfaces", name),
                "tie each node to one interface");
          continue;
        }
        nodes.push_back(static_cast<std::size_t>(node));
      }
      if (nodes.size() == each.nodes.size()) check_turns(each, nodes);
      members_.push_back(std::move(nodes));
    }
    if (interfaces_.empty()) {
      error("interfaces", "the body has no interface", "name at least one node others attach to");
    }
    const bool known_frame =
        o_.frame == "mean" || std::any_of(interfaces_.begin(), interfaces_.end(),
                                          [&](const auto& each) { return each.name == o_.frame; });
    if (!known_frame) {
      std::vector<std::string> names{"mean"};
      for (const StructureInterface& each : interfaces_) names.push_back(each.name);
      error("frame", fmt::format("'{}' is no interface", o_.frame),
            core::suggestion(o_.frame, names));
    }
    return !d_.has_errors();
  }

  bool has_turns(std::size_t node) const {
    return std::all_of(rows_[node].begin(), rows_[node].end(), [](Index row) { return row >= 0; });
  }

  /// A frame has axes: of a node that turns, or of three nodes that are not in line.
  void check_turns(const StructureInterface& each, const std::vector<std::size_t>& nodes) {
    if (nodes.empty()) {
      error("interfaces." + each.name, "the interface has no node", "name one node or more");
      return;
    }
    if (std::any_of(nodes.begin(), nodes.end(), [&](std::size_t k) { return has_turns(k); })) {
      return;
    }
    const Vector3d middle = center(nodes);
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (const std::size_t k : nodes) {
      const Vector3d arm = s_.nodes[k].position - middle;
      spread += arm * arm.transpose();
    }
    const Vector3d sizes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvalues();
    if (sizes[1] > 1e-8 * sizes[2] && sizes[2] > 0.0) return;
    error("interfaces." + each.name,
          nodes.size() == 1 ? fmt::format("the node '{}' has displacements along x, y and z only",
                                          each.nodes.front())
                            : "its nodes have displacements only and are in line",
          "a frame turns as well: name three nodes or more around it, which are then tied to it "
          "rigidly");
  }

  Vector3d center(const std::vector<std::size_t>& nodes) const {
    Vector3d sum = Vector3d::Zero();
    for (const std::size_t k : nodes) sum += s_.nodes[k].position;
    return sum / static_cast<double>(nodes.size());
  }

  /// u of a tied node = displacement and turn of the frame, and turn x arm.
  void tie() {
    std::vector<Eigen::Triplet<double>> entries;
    tied_rows_.assign(static_cast<std::size_t>(s_.size()), false);
    const auto put = [&](Index row, Index column, double value) {
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Vector3d middle = center(members_[i]);
      const auto first = static_cast<Index>(6 * i);
      tied_.places.push_back(middle);
      tied_.axes.push_back(members_[i].size() == 1 ? s_.nodes[members_[i].front()].axes
                                                   : Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
      for (const std::size_t node : members_[i]) {
        const Eigen::Matrix3d arm = -math::skew(s_.nodes[node].position - middle);
        for (int k = 0; k < 6; ++k) {
          const Index row = rows_[node][static_cast<std::size_t>(k)];
          if (row < 0) continue;
          tied_rows_[static_cast<std::size_t>(row)] = true;
          put(row, first + k, 1.0);
          for (int turn = 0; k < 3 && turn < 3; ++turn) {
            if (arm(k, turn) != 0.0) put(row, first + 3 + turn, arm(k, turn));
          }
        }
      }
    }
    tied_.held = static_cast<Index>(6 * members_.size());
    Index column = tied_.held;
    for (Index row = 0; row < s_.size(); ++row) {
      if (!tied_rows_[static_cast<std::size_t>(row)]) put(row, column++, 1.0);
    }
    tied_.S.resize(s_.size(), column);
    tied_.S.setFromTriplets(entries.begin(), entries.end());
    tied_.M = tied_.S.transpose() * s_.mass * tied_.S;
    tied_.K = tied_.S.transpose() * s_.stiffness * tied_.S;
  }

  // Shapes --------------------------------------------------------------------------------------

  bool check_counts() {
    const bool free = o_.reduction == Reduction::free_modes;
    const VectorXd mass = tied_.M.diagonal();
    const Index heavy = (mass.tail(free ? mass.size() : tied_.inside()).array() > 0.0).count();
    const Index most = free ? heavy - 6 : heavy;
    const Index shapes = free ? o_.modes : tied_.held - 6 + o_.modes;
    if (o_.modes < 0 || o_.modes > most) {
      error("modes",
            free ? fmt::format("{} modes are wanted; the structure has {} freedoms with mass, six "
                               "of them for motions as a whole",
                               o_.modes, heavy)
                 : fmt::format("{} modes are wanted; inside of its interfaces the structure has {} "
                               "freedoms with mass",
                               o_.modes, heavy),
            fmt::format("take at most {}", std::max<Index>(most, 0)));
    } else if (shapes < 1 || shapes > most_shapes) {
      error("modes", fmt::format("the body would have {} shapes", shapes),
            shapes < 1
                ? "take at least one mode, or make it a rigid body"
                : fmt::format("take fewer modes or interfaces: {} shapes at most", most_shapes));
    }
    return !d_.has_errors();
  }

  void tell_loose(const std::string& where) {
    error("stiffness", "the structure has motions without stiffness besides those of the whole",
          fmt::format("look for parts and nodes that nothing holds{}", where));
  }

  /// Columns over the tied freedoms that hold no motion as a whole: those of the first interface
  /// are left out.
  MatrixXd craig_bampton_basis() {
    const Index inside = tied_.inside();
    const Index held = tied_.held;
    const SparseSquare K_ii = tied_.K.bottomRightCorner(inside, inside);
    const SparseSquare M_ii = tied_.M.bottomRightCorner(inside, inside);
    const SparseSquare K_ib = tied_.K.bottomLeftCorner(inside, held);
    MatrixXd basis = MatrixXd::Zero(held + inside, held - 6 + o_.modes);
    basis.block(6, 0, held - 6, held - 6).setIdentity();
    if (inside == 0) return basis;
    const Factors factors(K_ii);
    if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0.0)) {
      tell_loose(", with all interfaces held");
      return basis;
    }
    basis.block(held, 0, inside, held - 6) = -factors.solve(MatrixXd(K_ib.rightCols(held - 6)));
    const auto modes = lowest_modes({K_ii, M_ii, 0.0, MatrixXd(inside, 0)}, o_.modes);
    if (!modes) {
      tell_lost();
      return basis;
    }
    basis.bottomRightCorner(inside, o_.modes) = modes->shapes;
    return basis;
  }

  MatrixXd free_basis() {
    const double shift = 1e-8 * tied_.K.diagonal().sum() / tied_.M.diagonal().sum();
    const auto modes = lowest_modes({tied_.K, tied_.M, shift, rigid()}, o_.modes);
    if (modes) return modes->shapes;
    tell_lost();
    return {};
  }
  void tell_lost() {
    error("modes", fmt::format("the lowest {} modes were not found", o_.modes),
          "take fewer; look for parts of the structure that are without stiffness or mass");
  }

  /// Motions as a whole over the tied freedoms, about the centre of mass.
  MatrixXd rigid() {
    const MatrixXd about_zero = rigid_motions(s_, Vector3d::Zero());
    const MatrixXd M_U = s_.mass * about_zero;
    const double m = about_zero.col(0).dot(M_U.col(0));
    const MatrixXd moment = about_zero.leftCols(3).transpose() * M_U.rightCols(3);
    center_ = Vector3d(moment(1, 2), moment(2, 0), moment(0, 1)) / m;
    MatrixXd U(tied_.S.cols(), 6);
    const MatrixXd all = rigid_motions(s_, center_);
    // Inside they are those of the freedoms; of interfaces those of their frames.
    for (std::size_t i = 0; i < members_.size(); ++i) {
      auto rows = U.middleRows<6>(static_cast<Index>(6 * i));
      rows.setIdentity();
      rows.topRightCorner<3, 3>() = -math::skew(tied_.places[i] - center_);
    }
    Index column = tied_.held;
    for (Index row = 0; row < s_.size(); ++row) {
      if (!tied_rows_[static_cast<std::size_t>(row)]) U.row(column++) = all.row(row);
    }
    return U;
  }
  void take_out_rigid_motions(MatrixXd& basis) {
    rigid_ = rigid();
    const MatrixXd M_U = tied_.M * rigid_;
    basis -= rigid_ * (rigid_.transpose() * M_U).ldlt().solve(M_U.transpose() * basis);
  }

  /// Turns the basis into modes, with the largest displacement of each one metre.
  bool make_modes(const MatrixXd& basis) {
    const MatrixXd K = basis.transpose() * (tied_.K * basis);
    const MatrixXd M = basis.transpose() * (tied_.M * basis);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(0.5 * (M + M.transpose()),
                                                                   0.5 * (K + K.transpose()));
    if (modes.info() != Eigen::Success) {
      tell_loose("");
      return false;
    }
    const VectorXd mu = modes.eigenvalues().reverse();
    if (!(mu.minCoeff() > 1e-15 * mu.maxCoeff())) {
      error("mass", "the shapes have motions without mass",
            "give the nodes of the interfaces a mass, and those that turn a rotary inertia");
      return false;
    }
    omega_ = mu.cwiseInverse().cwiseSqrt();
    shapes_ = basis * modes.eigenvectors().rowwise().reverse();
    const double size = length();
    for (Index k = 0; k < shapes_.cols(); ++k) {
      const VectorXd u = tied_.S * shapes_.col(k);
      double largest = 0.0;
      for (Index row = 0; row < s_.size(); ++row) {
        const bool turn = s_.freedoms[static_cast<std::size_t>(row)].direction >= 3;
        largest = std::max(largest, std::abs(u[row]) * (turn ? size : 1.0));
      }
      shapes_.col(k) /= largest;
    }
    return true;
  }
  double length() const {
    double size = 0.0;
    for (const StructureNode& node : s_.nodes) {
      size = std::max(size, (node.position - center_).norm());
    }
    return size;
  }

  // What is made of them ------------------------------------------------------------------------

  ReducedStructure finished() {
    ReducedStructure r;
    r.frequencies = omega_;
    const VectorXd k = (shapes_.cwiseProduct(tied_.K * shapes_)).colwise().sum();
    r.body.K = k.asDiagonal();
    r.body.D = (k.array() * (2.0 * o_.damping_ratio / omega_.array() + o_.viscosity))
                   .matrix()
                   .asDiagonal();
    r.origin = center_;
    fix_frame(r);

    const MatrixXd u = tied_.S * shapes_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto rows = shapes_.middleRows<6>(static_cast<Index>(6 * i));
      r.interfaces.push_back({.x = tied_.places[i] - r.origin,
                              .axes = tied_.axes[i],
                              .Phi = rows.topRows<3>(),
                              .Psi = rows.bottomRows<3>()});
      r.body.turns.push_back(r.interfaces.back().Psi);
    }
    for (const StructurePoint& point : s_.points) {
      const MatrixXd moved = point.map * u;
      r.points.push_back({.x = point.position - r.origin,
                          .axes = point.axes,
                          .Phi = moved.topRows<3>(),
                          .Psi = moved.bottomRows<3>()});
      r.body.turns.push_back(r.points.back().Psi);
    }
    r.body.integrals = integrals(u, r.origin);
    return r;
  }

  /// Moves each shape as a whole so that it rests at the interface.
  void fix_frame(ReducedStructure& r) {
    for (std::size_t i = 0; i < interfaces_.size(); ++i) {
      if (interfaces_[i].name != o_.frame) continue;
      const auto first = static_cast<Index>(6 * i);
      const Eigen::Matrix<double, 6, 6> here = rigid_.middleRows<6>(first);
      shapes_ -= rigid_ * (here.inverse() * shapes_.middleRows<6>(first)).eval();
      r.origin = tied_.places[i];
    }
  }

  ShapeIntegrals integrals(const MatrixXd& u, const Vector3d& origin) const {
    const MatrixXd U = rigid_motions(s_, origin);
    NodeFields fields{U.leftCols(3), U.rightCols(3), u, MatrixXd::Zero(u.rows(), 3 * u.cols())};
    for (const auto& rows : rows_) {
      for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
        for (Index k = 0; k < u.cols(); ++k) {
          Vector3d moved = Vector3d::Zero();
          for (std::size_t i = 0; i < 3; ++i) {
            if (rows[first + i] >= 0) moved[static_cast<Index>(i)] = u(rows[first + i], k);
          }
          const Eigen::Matrix3d turned = -math::skew(moved);
          for (std::size_t i = 0; i < 3; ++i) {
            if (rows[first + i] < 0) continue;
            fields.turned_shape.block<1, 3>(rows[first + i], 3 * k) =
                turned.row(static_cast<Index>(i));
          }
        }
      }
    }
    return shape_integrals(fields, [&](const MatrixXd& x) -> MatrixXd { return s_.mass * x; });
  }

  const Structure& s_;
  const std::vector<StructureInterface>& interfaces_;
  const ReductionOptions& o_;
  const std::string& path_;
  core::Diagnostics& d_;
  std::vector<std::array<Index, 6>> rows_;
  std::vector<std::vector<std::size_t>> members_;
  Tied tied_;
  std::vector<bool> tied_rows_;
  Vector3d center_ = Vector3d::Zero();
  MatrixXd rigid_;
  MatrixXd shapes_;
  VectorXd omega_;
};

}  // namespace

std::optional<ReducedStructure> reduce(const Structure& structure,
                                       const std::vector<StructureInterface>& interfaces,
                                       const ReductionOptions& options,
                                       const std::string& path,
                                       core::Diagnostics& diagnostics) {
  core::Diagnostics own;
  check(structure, path, own);
  std::optional<ReducedStructure> reduced;
  if (!own.has_errors()) reduced = Reducer(structure, interfaces, options, path, own).run();
  for (const core::Diagnostic& each : own.list()) diagnostics.add(each);
  return reduced;
}

}  // namespace trammel::model
