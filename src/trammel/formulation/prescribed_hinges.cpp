#include "trammel/formulation/prescribed_hinges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <set>

namespace trammel::formulation {
namespace {

using system::Vector;

Planar::Kinematics at_rest(const Pose<Planar>& pose) {
  return {.p = pose.p, .R = pose.rotation(), .angle = pose.angle};
}
Spatial::Kinematics at_rest(const Pose<Spatial>& pose) {
  return {.p = pose.p, .R = pose.rotation()};
}

double random_number(std::mt19937& random) {
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

// Coordinates of a hinge at a random place; balls as unit quaternions.
template <class S>
std::vector<double> random_place(const Hinge<S>& hinge, std::mt19937& random) {
  std::vector<double> q;
  for (const ElementaryJoint<S>& joint : hinge.joints) {
    const std::size_t first = q.size();
    double squares = 0.0;
    for (int i = 0; i < joint.coordinates(); ++i) {
      q.push_back(random_number(random));
      squares += q.back() * q.back();
    }
    if (joint.kind != ElementaryKind::ball) continue;
    for (std::size_t i = first; i < q.size(); ++i) q[i] /= std::sqrt(squares);
  }
  return q;
}

// A coordinate between the nodes of a hinge, as a function of the hinge's coordinates.
template <class S>
class CoordinateOfHinge {
 public:
  CoordinateOfHinge(const model::Measure<S>& measure, const TreeHinge<S>& hinge)
      : measure_(measure), hinge_(hinge.hinge), swapped_(measure.node_a == hinge.node) {}

  double value(const std::vector<double>& q) const {
    const auto parent = at_rest(Pose<S>{});
    const auto node = at_rest(hinge_.pose(q.data()));
    return swapped_ ? measure_.coordinate->value(node, parent)
                    : measure_.coordinate->value(parent, node);
  }
  double difference(const std::vector<double>& to, const std::vector<double>& from) const {
    const double change = value(to) - value(from);
    constexpr double turn = 2.0 * std::numbers::pi;
    return measure_.coordinate->wraps() ? change - turn * std::round(change / turn) : change;
  }

 private:
  const model::Measure<S>& measure_;
  const Hinge<S>& hinge_;
  bool swapped_;
};

struct Along {
  std::size_t joint = 0;  ///< of the hinge
  double scale = 0.0;
};

// The only elementary joint with which the coordinate changes, and how much; found at random
// places.
template <class S>
std::optional<Along> only_joint(const model::Measure<S>& measure, const TreeHinge<S>& hinge) {
  const CoordinateOfHinge<S> coordinate(measure, hinge);
  constexpr double change = 0.125;
  constexpr double round_off = 1e-12;
  std::mt19937 random(1);
  std::optional<Along> found;
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> q = random_place(hinge.hinge, random);
    const std::vector<double> other = random_place(hinge.hinge, random);
    std::size_t first = 0;
    for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
      const auto count = static_cast<std::size_t>(hinge.hinge.joints[k].coordinates());
      std::vector<double> moved = q;
      if (count == 1) {
        moved[first] += change;
      } else {
        std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(first), count,
                    moved.begin() + static_cast<std::ptrdiff_t>(first));
      }
      first += count;
      const double scale = coordinate.difference(moved, q) / change;
      if (std::abs(scale) < round_off) continue;
      const bool form = hinge.hinge.joints[k].kind == ElementaryKind::form;
      if (!std::isfinite(scale) || count > 1 || form) return std::nullopt;
      if (found && (found->joint != k || std::abs(found->scale - scale) > round_off)) {
        return std::nullopt;
      }
      found = Along{k, scale};
    }
  }
  // Signs and the factor 1 are exact.
  if (found && std::abs(std::abs(found->scale) - 1.0) < round_off) {
    found->scale = found->scale > 0.0 ? 1.0 : -1.0;
  }
  return found;
}

template <class S>
const TreeHinge<S>* hinge_between(const HingeTree<S>& tree, int node_a, int node_b) {
  for (const TreeHinge<S>& hinge : tree.hinges) {
    if (hinge.parent == node_a && hinge.node == node_b) return &hinge;
    if (hinge.parent == node_b && hinge.node == node_a) return &hinge;
  }
  return nullptr;
}

std::set<std::string> kept_as_rows(const model::Description& description) {
  std::set<std::string> names;
  for (const model::Item& drive : description.drives) {
    if (model::has(drive.values, "eliminate") && !model::flag(drive.values, "eliminate")) {
      names.insert(drive.name);
    }
  }
  return names;
}

}  // namespace

template <class S>
std::vector<PrescribedJoint> prescribed_joints(const model::Description& description,
                                               const model::Mechanism<S>& mechanism,
                                               const HingeTree<S>& tree) {
  Vector described;
  tree.coordinates_of(mechanism, mechanism.described.q, described);
  const std::set<std::string> rows = kept_as_rows(description);
  std::vector<PrescribedJoint> found;
  for (std::size_t i = 0; i < mechanism.relations.size(); ++i) {
    const model::NamedRelation<S>& named = mechanism.relations[i];
    if (!named.drive || named.type != "position" || rows.contains(named.name)) continue;
    const model::Measure<S>& measure =
        named.relation.formula().inputs()[static_cast<std::size_t>(named.leading)];
    const TreeHinge<S>* hinge = hinge_between(tree, measure.node_a, measure.node_b);
    if (hinge == nullptr) continue;
    const std::optional<Along> along = only_joint(measure, *hinge);
    if (!along) continue;
    const std::vector<double> q(described.data() + hinge->q,
                                described.data() + hinge->q + hinge->hinge.coordinates());
    const int joint = hinge->first_joint + static_cast<int>(along->joint);
    const double own = described[tree.joints[static_cast<std::size_t>(joint)].q];
    const double value = CoordinateOfHinge<S>(measure, *hinge).value(q);
    found.push_back({joint, static_cast<int>(i), along->scale, value - along->scale * own});
  }
  const auto shared = [&](const PrescribedJoint& a) {
    return std::count_if(found.begin(), found.end(),
                         [&](const PrescribedJoint& b) { return a.joint == b.joint; }) > 1;
  };
  std::vector<PrescribedJoint> single;
  std::remove_copy_if(found.begin(), found.end(), std::back_inserter(single), shared);
  return single;
}

template <class S>
void prescribe(std::vector<PrescribedJoint> joints, HingeTree<S>& tree) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    tree.joints[static_cast<std::size_t>(joints[i].joint)].prescribed = static_cast<int>(i);
  }
  tree.prescribed = std::move(joints);
  tree.coordinates = 0;
  tree.velocities = 0;
  for (TreeHinge<S>& hinge : tree.hinges) {
    hinge.q = tree.coordinates;
    hinge.v = tree.velocities;
    for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
      TreeJoint<S>& joint = tree.joints[static_cast<std::size_t>(hinge.first_joint) + k];
      joint.q = tree.coordinates;
      joint.v = tree.velocities;
      joint.velocities = joint.prescribed < 0 ? joint.elementary.velocities() : 0;
      tree.velocities += joint.velocities;
      if (joint.prescribed < 0) tree.coordinates += joint.elementary.coordinates();
    }
    hinge.velocities = tree.velocities - hinge.v;
  }
}

template <class S>
PrescribedMotion<S>::PrescribedMotion(std::shared_ptr<const HingeTree<S>> tree,
                                      std::shared_ptr<const model::Mechanism<S>> mechanism)
    : tree_(std::move(tree)), mechanism_(std::move(mechanism)), values_(tree_->prescribed.size()) {}

// The drive's row is c - f(t): with c = 0 it gives -f and its derivatives by time.
template <class S>
void PrescribedMotion<S>::set_time(double t) {
  if (known_ && t == t_) return;
  known_ = true;
  t_ = t;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const PrescribedJoint& joint = tree_->prescribed[i];
    const model::NamedRelation<S>& named =
        mechanism_->relations[static_cast<std::size_t>(joint.relation)];
    const std::size_t count = named.relation.formula().inputs().size();
    const auto leading = static_cast<std::size_t>(named.leading);
    std::array<double, 2> inputs{t, t};
    inputs[leading] = 0.0;
    std::array<double, 2> gradient{};
    std::array<double, 4> hessian{};
    const double row =
        named.relation.formula().program().hessian({inputs.data(), count}, {gradient.data(), count},
                                                   {hessian.data(), count * count}, workspace_);
    const bool moves = count == 2;
    const std::size_t time = 1 - leading;
    values_[i] = {(-row - joint.offset) / joint.scale, moves ? -gradient[time] / joint.scale : 0.0,
                  moves ? -hessian[3 * time] / joint.scale : 0.0};
  }
}

template std::vector<PrescribedJoint> prescribed_joints(const model::Description&,
                                                        const model::Mechanism<Planar>&,
                                                        const HingeTree<Planar>&);
template std::vector<PrescribedJoint> prescribed_joints(const model::Description&,
                                                        const model::Mechanism<Spatial>&,
                                                        const HingeTree<Spatial>&);
template void prescribe(std::vector<PrescribedJoint>, HingeTree<Planar>&);
template void prescribe(std::vector<PrescribedJoint>, HingeTree<Spatial>&);
template class PrescribedMotion<Planar>;
template class PrescribedMotion<Spatial>;

}  // namespace trammel::formulation
