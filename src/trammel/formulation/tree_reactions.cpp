#include "trammel/formulation/tree_reactions.h"

#include "trammel/core/dense_factors.h"

namespace trammel::formulation {
namespace {

// Absolute rows of a hinge: of its joint, and of the drives of its elementary joints.
template <class S>
std::vector<int> rows_of(const model::Mechanism<S>& mechanism,
                         const HingeTree<S>& tree,
                         const TreeHinge<S>& hinge) {
  std::vector<int> rows;
  if (hinge.joint >= 0) {
    const auto& joint = mechanism.joints[static_cast<std::size_t>(hinge.joint)];
    for (int i = 0; i < joint.rows; ++i) rows.push_back(joint.first_row + i);
  }
  for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
    const int number = tree.joints[static_cast<std::size_t>(hinge.first_joint) + k].prescribed;
    if (number < 0) continue;
    const int relation = tree.prescribed[static_cast<std::size_t>(number)].relation;
    rows.push_back(mechanism.relations[static_cast<std::size_t>(relation)].row);
  }
  return rows;
}

}  // namespace

template <class S>
TreeReactions<S>::TreeReactions(const model::Mechanism<S>& mechanism, const HingeTree<S>& tree) {
  for (auto hinge = tree.hinges.rbegin(); hinge != tree.hinges.rend(); ++hinge) {
    const std::vector<int> rows = rows_of(mechanism, tree, *hinge);
    if (!rows.empty()) add(mechanism, *hinge, rows);
  }
}

template <class S>
void TreeReactions<S>::add(const model::Mechanism<S>& mechanism,
                           const TreeHinge<S>& hinge,
                           const std::vector<int>& rows) {
  const system::KktPattern& pattern = *mechanism.pattern;
  const model::Node<S>& carried = mechanism.nodes[static_cast<std::size_t>(hinge.node)];
  Joint reactions{static_cast<int>(rows_.size()),
                  static_cast<int>(rows.size()),
                  carried.v,
                  carried.freedoms,
                  static_cast<int>(entries_.size()),
                  0};
  for (const int number : {hinge.node, hinge.parent}) {
    const model::Node<S>& node = mechanism.nodes[static_cast<std::size_t>(number)];
    for (int k = 0; k < node.freedoms; ++k) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const int position = pattern.find(mechanism.sizes.v + rows[i], node.v + k);
        if (position < 0) continue;
        entries_.push_back(
            {position, static_cast<int>(i), node.v + k, number == hinge.node ? k : -1});
      }
    }
  }
  reactions.count = static_cast<int>(entries_.size()) - reactions.first;
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  joints_.push_back(reactions);
}

template <class S>
void TreeReactions<S>::recover(const system::KktMatrix& jacobian,
                               system::Vector& r,
                               system::Vector& lambda) const {
  constexpr int most = S::freedoms;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  for (const Joint& joint : joints_) {
    Matrix G_T = Matrix::Zero(joint.freedoms, joint.rows);
    for (int k = joint.first; k < joint.first + joint.count; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      if (entry.freedom < 0) continue;
      G_T(entry.freedom, entry.row) = jacobian.values[static_cast<std::size_t>(entry.position)];
    }
    const Column load = -r.segment(joint.velocity, joint.freedoms);
    const Column solved = G_T.householderQr().solve(load);
    for (int i = 0; i < joint.rows; ++i) {
      lambda[rows_[static_cast<std::size_t>(joint.first_row + i)]] = solved[i];
    }
    for (int k = joint.first; k < joint.first + joint.count; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      r[entry.velocity] +=
          jacobian.values[static_cast<std::size_t>(entry.position)] * solved[entry.row];
    }
  }
}

template class TreeReactions<Planar>;
template class TreeReactions<Spatial>;

}  // namespace trammel::formulation
