// Where the coordinates of hinges stop telling the motion.
#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/system/capability.h"

namespace trammel::formulation {

// From 0, where the columns of a hinge are dependent, to 1; without prescribed ones.
template <class S>
double RelativeSystem<S>::own_distance(const TreeHinge<S>& hinge,
                                       const system::State& state) const {
  TreeMotion<S> motion(constant_->tree, constant_->mechanism);
  motion.set_time(state.t);
  motion.set_positions(state.q);
  const TwistMatrix<S> E = motion.node_map(hinge.node);
  Eigen::MatrixXd columns(S::freedoms, hinge.velocities);
  for (int i = 0; i < hinge.velocities; ++i) columns.col(i) = E * motion.s(hinge.v + i);
  columns.topRows(S::dimension) /= constant_->mechanism->size;
  for (int i = 0; i < hinge.velocities; ++i) columns.col(i).normalize();
  if (!columns.allFinite()) return 0.0;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns);
  return svd.singularValues()[hinge.velocities - 1] / svd.singularValues()[0];
}

template <class S>
std::vector<model::ConnectionWatch::Rank> RelativeSystem<S>::ranks(const system::State& state) {
  set_state(state);
  return system::capability<model::ConnectionWatch>(absolute_)->ranks(absolute_motion_.state);
}

template <class S>
auto RelativeSystem<S>::singular_hinge(const system::State& state) const -> SingularHinge {
  constexpr double near = 1e-6;
  const char* const own_remedy =
      "name other 'coordinates' of the connection, or use absolute coordinates";
  for (const TreeHinge<S>& hinge : constant_->tree->hinges) {
    if (hinge.joint < 0) continue;
    const bool own = !hinge.joint_hinge.start.empty();
    const std::string& name =
        constant_->mechanism->joints[static_cast<std::size_t>(hinge.joint)].name;
    for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
      const TreeJoint<S>& joint =
          constant_->tree->joints[static_cast<std::size_t>(hinge.first_joint) + k];
      if (joint.elementary.kind != ElementaryKind::form) continue;
      const double distance = joint.elementary.form->distance_from_singularity(
          state.q.data() + joint.q, constant_->mechanism->size);
      if (distance > near) continue;
      return {fmt::format("the {} coordinates of joint '{}' are singular there",
                          joint.elementary.form->name(), name),
              own ? own_remedy
                  : "give the joint position: cartesian, or frames whose z axis and origin the "
                    "motion avoids"};
    }
    if (!own || hinge.velocities == 0) continue;
    if (own_distance(hinge, state) > near) continue;
    return {fmt::format("the coordinates of connection '{}' depend on each other there", name),
            own_remedy};
  }
  return {};
}

template <class S>
std::string RelativeSystem<S>::flipped_joint(const system::State& absolute) const {
  const model::Mechanism<S>& m = *constant_->mechanism;
  const TreeHinge<S>* hinge = constant_->tree->flipped_hinge(m, absolute.q);
  if (hinge == nullptr || hinge->joint < 0) return {};
  return m.joints[static_cast<std::size_t>(hinge->joint)].name;
}

template std::vector<model::ConnectionWatch::Rank> RelativeSystem<Planar>::ranks(
    const system::State&);
template std::vector<model::ConnectionWatch::Rank> RelativeSystem<Spatial>::ranks(
    const system::State&);
template RelativeModel::SingularHinge RelativeSystem<Planar>::singular_hinge(
    const system::State&) const;
template RelativeModel::SingularHinge RelativeSystem<Spatial>::singular_hinge(
    const system::State&) const;
template std::string RelativeSystem<Planar>::flipped_joint(const system::State&) const;
template std::string RelativeSystem<Spatial>::flipped_joint(const system::State&) const;

}  // namespace trammel::formulation
