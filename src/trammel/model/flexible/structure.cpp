#include "trammel/model/flexible/structure.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

constexpr double symmetric_within = 1e-8;  // of the largest entry
constexpr double rigid_within = 1e-6;      // files hold seven digits and more
constexpr const char* direction_names[] = {"along x", "along y", "along z",
                                           "about x", "about y", "about z"};

class StructureCheck {
 public:
  StructureCheck(const Structure& structure, std::string path, core::Diagnostics& diagnostics)
      : s_(structure), path_(std::move(path)), diagnostics_(diagnostics) {}

  void run() {
    const bool both = check_matrix("mass", s_.mass) & check_matrix("stiffness", s_.stiffness);
    if (!both) return;
    check_rigid_motions();
    if (!diagnostics_.has_errors()) check_signs();
  }

 private:
  void error(const std::string& key, std::string message, std::string remedy) {
    diagnostics_.error(path_ + "." + key, std::move(message), std::move(remedy));
  }

  bool check_matrix(const std::string& key, const SparseSquare& A) {
    if (A.rows() != s_.size() || A.cols() != s_.size()) {
      error(key,
            fmt::format("the matrix of {} has {} x {} entries; {} nodes with their freedoms want "
                        "{} rows",
                        key, A.rows(), A.cols(), s_.nodes.size(), s_.size()),
            "give every node three or six rows, in the order of the nodes, or name the rows in a "
            "file under 'freedoms'");
      return false;
    }
    return check_entries(key, A);
  }

  bool check_entries(const std::string& key, const SparseSquare& A) {
    double largest = 0.0;
    for (Eigen::Index j = 0; j < A.outerSize(); ++j) {
      for (SparseSquare::InnerIterator at(A, j); at; ++at) {
        if (!std::isfinite(at.value())) {
          error(key, fmt::format("an entry of the matrix of {} is not finite", key),
                "look at how the file was written");
          return false;
        }
        largest = std::max(largest, std::abs(at.value()));
      }
    }
    const SparseSquare skewed = A - SparseSquare(A.transpose());
    for (Eigen::Index j = 0; j < skewed.outerSize(); ++j) {
      for (SparseSquare::InnerIterator at(skewed, j); at; ++at) {
        if (std::abs(at.value()) <= symmetric_within * largest) continue;
        error(key,
              fmt::format("the matrix of {} is not symmetric: row {}, column {} holds {:g}, and "
                          "row {}, column {} holds {:g}",
                          key, at.row() + 1, at.col() + 1, A.coeff(at.row(), at.col()),
                          at.col() + 1, at.row() + 1, A.coeff(at.col(), at.row())),
              "write the matrix of the free structure without damping and gyroscopic terms");
        return false;
      }
    }
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (A.coeff(i, i) >= 0.0) continue;
      tell_negative(key, i, A.coeff(i, i));
      return false;
    }
    return true;
  }

  void tell_negative(const std::string& key, Eigen::Index row, double value) {
    error(key,
          fmt::format("the matrix of {} is not positive: {:g} at {} (row {})", key, value,
                      s_.freedom_name(row), row + 1),
          "mass and stiffness of a structure that is not loaded are positive");
  }

  /// The factors tell the signs; what has no mass, and motions as a whole, count as positive.
  void check_signs() {
    const double stiff = s_.stiffness.diagonal().sum();
    const double heavy = s_.mass.diagonal().sum();
    SparseSquare diagonal(s_.size(), s_.size());
    diagonal.setIdentity();
    check_sign("mass", s_.mass + 1e-10 * heavy / static_cast<double>(s_.size()) * diagonal);
    check_sign("stiffness", s_.stiffness + 1e-8 * stiff / heavy * s_.mass +
                                1e-10 * stiff / static_cast<double>(s_.size()) * diagonal);
  }
  void check_sign(const std::string& key, const SparseSquare& A) {
    const Eigen::SimplicialLDLT<SparseSquare, Eigen::Lower, Eigen::AMDOrdering<int>> factors(A);
    const Eigen::VectorXd D = factors.vectorD();
    Eigen::Index least = 0;
    if (factors.info() == Eigen::Success && D.minCoeff(&least) > 0.0) return;
    tell_negative(key, factors.permutationPinv().indices()[least], D[least]);
  }

  void check_rigid_motions() {
    const Eigen::MatrixXd U = rigid_motions(s_, Eigen::Vector3d::Zero());
    const Eigen::Matrix<double, 6, 6> mass = U.transpose() * (s_.mass * U);
    const double m = mass.topLeftCorner<3, 3>().trace() / 3.0;
    const Eigen::Matrix3d moment = mass.topRightCorner<3, 3>();
    const double uneven = (mass.topLeftCorner<3, 3>() - m * Eigen::Matrix3d::Identity()).norm();
    if (!(m > 0.0)) {
      error("mass", fmt::format("the mass of the whole is {:g} kg", m), "give it a mass");
    } else if (uneven > rigid_within * m ||
               (moment + moment.transpose()).norm() > rigid_within * (moment.norm() + m * size())) {
      error("mass",
            fmt::format("moved along x, y and z the structure has masses of {:g}, {:g} and {:g} kg",
                        mass(0, 0), mass(1, 1), mass(2, 2)),
            "give rows along x, y, z (and about them) for each node, in axes of the whole, and all "
            "of the mass");
    }
    check_supports(U);
  }

  void check_supports(const Eigen::MatrixXd& U) {
    const Eigen::MatrixXd load = s_.stiffness * U;
    for (Eigen::Index k = 0; k < 6; ++k) {
      Eigen::VectorXd most = Eigen::VectorXd::Zero(s_.size());
      for (Eigen::Index j = 0; j < s_.stiffness.outerSize(); ++j) {
        for (SparseSquare::InnerIterator at(s_.stiffness, j); at; ++at) {
          most[at.row()] = std::max(most[at.row()], std::abs(at.value() * U(j, k)));
        }
      }
      Eigen::Index row = 0;
      const double worst = (load.col(k).cwiseAbs() - rigid_within * most).maxCoeff(&row);
      if (worst <= rigid_within * most.maxCoeff()) continue;
      error("stiffness",
            fmt::format("a motion of the whole {} is resisted: by {:g} at {}", direction_names[k],
                        load(row, k), s_.freedom_name(row)),
            "write the matrix of the free structure, without supports; joints hold it");
      return;
    }
  }

  double size() const {
    Eigen::Vector3d least = s_.nodes.front().position;
    Eigen::Vector3d most = least;
    for (const StructureNode& node : s_.nodes) {
      least = least.cwiseMin(node.position);
      most = most.cwiseMax(node.position);
    }
    return (most - least).norm();
  }

  const Structure& s_;
  std::string path_;
  core::Diagnostics& diagnostics_;
};

}  // namespace

int Structure::find(const std::string& node) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const StructureNode& each) { return each.name == node; });
  return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

std::string Structure::freedom_name(Eigen::Index row) const {
  const StructureFreedom& freedom = freedoms[static_cast<std::size_t>(row)];
  return fmt::format("node {} {}", nodes[static_cast<std::size_t>(freedom.node)].name,
                     direction_names[freedom.direction]);
}

Eigen::MatrixXd rigid_motions(const Structure& structure, const Eigen::Vector3d& origin) {
  Eigen::MatrixXd U = Eigen::MatrixXd::Zero(structure.size(), 6);
  for (Eigen::Index row = 0; row < structure.size(); ++row) {
    const StructureFreedom& freedom = structure.freedoms[static_cast<std::size_t>(row)];
    U(row, freedom.direction) = 1.0;
    if (freedom.direction >= 3) continue;
    const Eigen::Vector3d arm =
        structure.nodes[static_cast<std::size_t>(freedom.node)].position - origin;
    // (e x arm) = -skew(arm) e.
    U.block<1, 3>(row, 3) = -math::skew(arm).row(freedom.direction);
  }
  return U;
}

void check(const Structure& structure, const std::string& path, core::Diagnostics& diagnostics) {
  StructureCheck(structure, path, diagnostics).run();
}

}  // namespace trammel::model
