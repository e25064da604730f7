#include "trammel/model/elementary_joint.h"

#include <array>
#include <cassert>
#include <numbers>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

// Brings the axis along which elementary joints slide, or about which they turn, to that of the
// motion. Planar: they turn about z, whatever is done in the plane.
template <class S>
Pose<S> to_axis_of(const ElementaryMotion& motion);

template <>
Pose<Planar> to_axis_of(const ElementaryMotion& motion) {
  const bool along_y = motion.kind == ElementaryKind::slide && motion.axis == 'y';
  return {Eigen::Vector2d::Zero(), along_y ? 0.5 * std::numbers::pi : 0.0};
}

template <>
Pose<Spatial> to_axis_of(const ElementaryMotion& motion) {
  return rotation_of_z(Eigen::Vector3d::Unit(motion.axis - 'x'));
}

}  // namespace

std::string to_string(const ElementaryMotion& motion) {
  static constexpr std::array<const char*, 5> names{"turn", "slide", "screw", "ball", "form"};
  std::string name = names.at(static_cast<std::size_t>(motion.kind));
  if (motion.kind == ElementaryKind::ball || motion.kind == ElementaryKind::form) return name;
  return name + "_" + motion.axis;
}

Pose<Spatial> rotation_of_z(const Eigen::Vector3d& to) {
  return {Eigen::Vector3d::Zero(), math::shortest_rotation(Eigen::Vector3d::UnitZ(), to)};
}

template <class S>
ElementaryChain<S> chain_along_axes(const std::vector<ElementaryMotion>& motions) {
  ElementaryChain<S> chain;
  for (const ElementaryMotion& motion : motions) {
    const Pose<S> axis = to_axis_of<S>(motion);
    chain.joints.push_back({.kind = motion.kind, .before = chain.after * axis});
    chain.after = inverse(axis);
  }
  return chain;
}

AllowedMotion::AllowedMotion(std::vector<ElementaryMotion> chain,
                             Arrange<Planar> arrange_planar,
                             Arrange<Spatial> arrange_spatial,
                             std::string no_chain)
    : chain_(std::move(chain)),
      arrange_planar_(arrange_planar),
      arrange_spatial_(arrange_spatial),
      no_chain_(std::move(no_chain)) {}

template <class S>
ElementaryChain<S> AllowedMotion::arranged(JointPlace<S>& place) const {
  assert(is_chain());
  ElementaryChain<S> chain = chain_along_axes<S>(chain_);
  if constexpr (S::space == Space::planar) {
    if (arrange_planar_ != nullptr) arrange_planar_(place, chain);
  } else {
    if (arrange_spatial_ != nullptr) arrange_spatial_(place, chain);
  }
  return chain;
}

AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain) {
  return {chain, nullptr, nullptr};
}

AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain, Arrange<Planar> arrange) {
  return {chain, arrange, nullptr};
}

AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain, Arrange<Spatial> arrange) {
  return {chain, nullptr, arrange};
}

AllowedMotion closes_loops_only(std::string because) {
  return {{}, nullptr, nullptr, std::move(because)};
}

template ElementaryChain<Planar> AllowedMotion::arranged(JointPlace<Planar>&) const;
template ElementaryChain<Spatial> AllowedMotion::arranged(JointPlace<Spatial>&) const;
template ElementaryChain<Planar> chain_along_axes(const std::vector<ElementaryMotion>&);
template ElementaryChain<Spatial> chain_along_axes(const std::vector<ElementaryMotion>&);

}  // namespace trammel::model
