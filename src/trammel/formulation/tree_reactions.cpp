#include "trammel/formulation/tree_reactions.h"

#include <Eigen/QR>

namespace trammel::formulation {

template <class S>
TreeReactions<S>::TreeReactions(const model::Mechanism<S>& mechanism, const HingeTree<S>& tree) {
  const system::KktPattern& pattern = *mechanism.pattern;
  for (auto hinge = tree.hinges.rbegin(); hinge != tree.hinges.rend(); ++hinge) {
    if (hinge->joint < 0) continue;
    const auto& joint = mechanism.joints[static_cast<std::size_t>(hinge->joint)];
    Joint reactions{joint.first_row, joint.rows, 0, static_cast<int>(entries_.size()), 0};
    for (const int number : {hinge->node, hinge->parent}) {
      const model::Node<S>& node = mechanism.nodes[static_cast<std::size_t>(number)];
      const bool carried = number == hinge->node;
      if (carried) reactions.velocity = node.v;
      for (int k = 0; k < node.freedoms; ++k) {
        for (int i = 0; i < joint.rows; ++i) {
          const int position = pattern.find(mechanism.sizes.v + joint.first_row + i, node.v + k);
          if (position >= 0) entries_.push_back({position, i, node.v + k, carried ? k : -1});
        }
      }
    }
    reactions.count = static_cast<int>(entries_.size()) - reactions.first;
    joints_.push_back(reactions);
  }
}

template <class S>
void TreeReactions<S>::recover(const system::KktMatrix& jacobian,
                               system::Vector& r,
                               system::Vector& lambda) const {
  using Matrix = Eigen::Matrix<double, S::freedoms, Eigen::Dynamic, 0, S::freedoms, S::freedoms>;
  for (const Joint& joint : joints_) {
    if (joint.rows == 0) continue;
    Matrix G_T = Matrix::Zero(S::freedoms, joint.rows);
    for (int k = joint.first; k < joint.first + joint.count; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      if (entry.freedom < 0) continue;
      G_T(entry.freedom, entry.row) = jacobian.values[static_cast<std::size_t>(entry.position)];
    }
    const Eigen::Matrix<double, S::freedoms, 1> load = -r.segment<S::freedoms>(joint.velocity);
    lambda.segment(joint.first_row, joint.rows) = G_T.householderQr().solve(load);
    for (int k = joint.first; k < joint.first + joint.count; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      r[entry.velocity] += jacobian.values[static_cast<std::size_t>(entry.position)] *
                           lambda[joint.first_row + entry.row];
    }
  }
}

template class TreeReactions<Planar>;
template class TreeReactions<Spatial>;

}  // namespace trammel::formulation
