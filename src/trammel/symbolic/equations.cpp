#include "trammel/symbolic/equations.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/model/forces/line_force.h"
#include "trammel/model/forces/spring.h"
#include "trammel/model/kinds.h"
#include "trammel/symbolic/tree_geometry.h"
#include "trammel/system/coordinate_names.h"

namespace trammel::symbolic {
namespace {

using formulation::HingeTree;
using model::Planar;
using model::Spatial;

// Beyond this nobody reads them, and products grow without bounds.
constexpr int most_coordinates = 8;
constexpr std::size_t most_terms = 4000;

[[noreturn]] void refuse(const std::string& reason) {
  throw core::InputError(
      "the equations of this model are not written as formulas: " + reason,
      "look at its numbers instead: `trammel info --topology`, or mass_matrix(), "
      "forces() and constraint_jacobian() in Python");
}

template <class S>
FrameOn frame_of(const model::NodeFrame<S>& frame) {
  return seen_in_space(model::pose_of(frame));
}

template <class S>
class EquationWriter {
 public:
  EquationWriter(const model::Description& description,
                 const model::Mechanism<S>& mechanism,
                 const topology::Tree& topology,
                 const HingeTree<S>& tree,
                 std::vector<std::string> names)
      : description_(description), mechanism_(mechanism), topology_(topology), tree_(tree) {
    result_.model = description.name;
    for (std::size_t i = 0; i < names.size(); ++i) {
      // Joints with several coordinates are refused.
      const auto& joint = tree.joints[std::min(i, tree.joints.size() - 1)].elementary;
      const bool slides = joint.kind == formulation::ElementaryKind::slide;
      result_.coordinates.push_back({std::move(names[i]), slides ? "m" : "rad"});
    }
  }

  Equations write() {
    check_size();
    geometry_ = geometry_of(tree_);
    set_mass();
    set_velocity_terms();
    set_weight();
    std::set<int> cut;  // rows are in the order of the joints
    for (const topology::CutJoint& joint : topology_.cut_joints()) cut.insert(joint.edge);
    for (const int joint : cut) add_cut_joint(joint);
    for (const model::Item& drive : description_.drives) add_drive(drive);
    for (const model::Item& force : description_.forces) add_load(force);
    return std::move(result_);
  }

 private:
  int size() const { return result_.size(); }

  void check_size() const {
    if (size() > most_coordinates) {
      refuse(fmt::format("it has {} coordinates, and beyond {} nobody reads them", size(),
                         most_coordinates));
    }
    if (const int number = obstacle(tree_); number >= 0) {
      refuse(fmt::format("{} is no chain of turns, slides and screws", hinge_name(number)));
    }
    if (!description_.couplings.empty()) {
      refuse(fmt::format("the coupling '{}' is a formula", description_.couplings.front().name));
    }
    if (!description_.connections.empty()) {
      refuse(
          fmt::format("'{}' is a connection of elements", description_.connections.front().name));
    }
    for (const model::NamedJointFriction<S>& friction : mechanism_.joint_frictions) {
      if (friction.row >= 0) refuse(fmt::format("the friction '{}' sticks", friction.name));
    }
    if (mechanism_.sizes.nonholonomic > 0) refuse("it has nonholonomic rows");
  }

  // The hinge of an elementary joint.
  std::string hinge_name(int joint) const {
    for (const formulation::TreeHinge<S>& hinge : tree_.hinges) {
      const int count = static_cast<int>(hinge.hinge.joints.size());
      if (joint < hinge.first_joint || joint >= hinge.first_joint + count) continue;
      if (hinge.joint < 0) {
        return fmt::format("the free body '{}'", mechanism_.nodes[at(hinge.node)].name);
      }
      return fmt::format("the joint '{}'", mechanism_.joints[at(hinge.joint)].name);
    }
    return "a joint";
  }

  // Coordinates on the way from the ground to a node.
  std::set<int> path(int node) const {
    std::set<int> numbers;
    for (int k = geometry_.joint_of[at(node)]; k >= 0; k = geometry_.axes[at(k)].parent) {
      numbers.insert(k);
    }
    return numbers;
  }

  Eigen::Matrix3d inertia(const model::Node<S>& node) const {
    if constexpr (S::space == model::Space::planar) {
      Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
      I(2, 2) = node.inertia;
      return I;
    } else {
      return node.inertia;
    }
  }

  // M_kl = sum m dp/dx_k . dp/dx_l + w_k . I w_l, w in axes of the body.
  void set_mass() {
    const int n = size();
    result_.mass.assign(at(n), std::vector<Polynomial>(at(n), Polynomial(n)));
    for (std::size_t number = 1; number < mechanism_.nodes.size(); ++number) {
      const model::Node<S>& node = mechanism_.nodes[number];
      const Place& place = geometry_.nodes[number];
      const std::set<int> way = path(static_cast<int>(number));
      const Eigen::Matrix3d I = inertia(node);
      std::map<int, Vector> speed;
      std::map<int, Vector> turn;
      for (const int k : way) {
        speed[k] = derivative(place.p, k);
        turn[k] = cleaned(transposed_times(place.R, geometry_.axes[at(k)].turn), 1.0);
      }
      for (const int k : way) {
        for (const int l : way) {
          if (l > k) continue;
          Polynomial entry = node.mass * dot(speed[k], speed[l]);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
              if (I(i, j) != 0.0) entry += I(i, j) * (turn[k][at(i)] * turn[l][at(j)]);
            }
          }
          result_.mass[at(k)][at(l)] += entry;
          if (result_.mass[at(k)][at(l)].terms().size() > most_terms) {
            refuse(fmt::format("its mass matrix has entries of more than {} terms", most_terms));
          }
        }
      }
    }
    double largest = 0.0;
    for (int k = 0; k < n; ++k) largest = std::max(largest, result_.mass[at(k)][at(k)].size());
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l <= k; ++l) {
        result_.mass[at(k)][at(l)] = result_.mass[at(k)][at(l)].without_round_off(largest);
        result_.mass[at(l)][at(k)] = result_.mass[at(k)][at(l)];
      }
    }
  }

  static Vector cleaned(const Vector& v, double size) {
    return {v[0].without_round_off(size), v[1].without_round_off(size),
            v[2].without_round_off(size)};
  }

  void set_velocity_terms() {
    const int n = size();
    const auto& M = result_.mass;
    for (int k = 0; k < n; ++k) {
      std::vector<std::vector<Polynomial>> form(at(n), std::vector<Polynomial>(at(n)));
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const Polynomial sum = M[at(k)][at(i)].derivative(j) + M[at(k)][at(j)].derivative(i) -
                                 M[at(i)][at(j)].derivative(k);
          form[at(i)][at(j)] = (0.5 * sum).without_round_off(M[at(k)][at(k)].size());
        }
      }
      result_.velocity_terms.push_back(std::move(form));
    }
  }

  // V = - sum m g . p.
  void set_weight() {
    const int n = size();
    Polynomial V(n);
    Eigen::Vector3d g = Eigen::Vector3d::Zero();
    g.head<S::dimension>() = mechanism_.gravity;
    for (std::size_t number = 1; number < mechanism_.nodes.size(); ++number) {
      for (int i = 0; i < 3; ++i) {
        V -= mechanism_.nodes[number].mass * g[i] * geometry_.nodes[number].p[at(i)];
      }
    }
    for (int k = 0; k < n; ++k) {
      result_.weight.push_back(V.derivative(k).without_round_off(V.size()));
    }
  }

  void add_row(std::string name, const Polynomial& g, double size, std::string motion = {}) {
    Row row{.name = std::move(name),
            .g = g.without_round_off(size),
            .motion = std::move(motion),
            .by_x = {}};
    for (int k = 0; k < this->size(); ++k) row.by_x.push_back(row.g.derivative(k));
    result_.rows.push_back(std::move(row));
  }

  // The rows that the joint has elsewhere, in the same order.
  void add_cut_joint(int number) {
    const model::MechanismJoint<S>& joint = mechanism_.joints[at(number)];
    const Place a = geometry_.nodes[at(joint.a.node)] * frame_of(joint.a);
    const Place b = geometry_.nodes[at(joint.b.node)] * frame_of(joint.b);
    const std::string type(joint.type);
    const bool planar = S::space == model::Space::planar;
    const Vector d = b.p - a.p;
    const auto points = [&] {
      for (int i = 0; i < S::dimension; ++i) {
        add_row(fmt::format("{}: point {}", joint.name, "xyz"[i]), d[at(i)], mechanism_.size);
      }
    };
    const auto fixed_angle = [&] {
      // Whole turns between both frames stay as described.
      add_row(joint.name + ": angle", b.angle - a.angle - described_turns(joint), 1.0);
    };
    if (planar && type == "revolute") {
      points();
    } else if (planar && type == "fixed") {
      points();
      fixed_angle();
    } else if (planar && type == "prismatic") {
      add_row(joint.name + ": off axis", dot(a.R[1], d), mechanism_.size);
      fixed_angle();
    } else if (!planar && type == "spherical") {
      points();
    } else if (!planar && type == "revolute") {
      points();
      add_row(joint.name + ": axis tilt about y", dot(a.R[0], b.R[2]), 1.0);
      add_row(joint.name + ": axis tilt about x", dot(a.R[1], b.R[2]), 1.0);
    } else {
      refuse(fmt::format("a loop is closed by '{}', a {} joint; written are revolute, {}",
                         joint.name, type, planar ? "prismatic and fixed ones" : "and spherical"));
    }
  }

  // 2 pi times a whole number, for the angle of a cut joint that is fixed.
  Polynomial described_turns(const model::MechanismJoint<S>& joint) const {
    if constexpr (S::space == model::Space::planar) {
      system::Vector q(tree_.coordinates);
      tree_.coordinates_of(mechanism_, mechanism_.described.q, q);
      const std::vector<double> x(q.data(), q.data() + q.size());
      const Place a = geometry_.nodes[at(joint.a.node)] * frame_of(joint.a);
      const Place b = geometry_.nodes[at(joint.b.node)] * frame_of(joint.b);
      constexpr double turn = 2.0 * std::numbers::pi;
      const double described = (b.angle - a.angle).value(x);
      return Polynomial::constant(size(), turn * std::round(described / turn));
    } else {
      return Polynomial(size());
    }
  }

  std::optional<int> number_of(const std::string& coordinate) const {
    for (int k = 0; k < size(); ++k) {
      if (result_.coordinates[at(k)].name == coordinate) return k;
    }
    return std::nullopt;
  }

  void add_drive(const model::Item& drive) {
    const std::string& name = model::text(drive.values, "coordinate");
    const std::optional<int> k = number_of(name);
    if (!k || drive.type != "position") {
      refuse(
          fmt::format("the drive '{}' prescribes {}, which is no position of a hinge of the tree",
                      drive.name, name));
    }
    add_row(drive.name, Polynomial::coordinate(size(), *k), 1.0,
            model::text(drive.values, "motion"));
  }

  void add_load(const model::Item& item) {
    Load load{.name = item.name, .kind = item.type};
    if (const auto* force = find_force(item.name)) {
      if (dynamic_cast<const model::Spring<S>*>(force) != nullptr) {
        load.line = line_between(item, force->node_a(), force->node_b());
        load.line->spring = spring_of(item);
      } else if (dynamic_cast<const model::LineForce<S>*>(force) != nullptr) {
        load.line = line_between(item, force->node_a(), force->node_b());
      } else {
        load.touches = between(force->node_a(), force->node_b());
      }
    } else if (model::has(item.values, "coordinate")) {
      load.coordinate = number_of(model::text(item.values, "coordinate"));
      if (load.coordinate && item.type == "actuator") {
        load.formula = model::text(item.values, "formula");
      }
    }
    if (!load.line && !load.coordinate && load.touches.empty()) load.touches = touched_by(item);
    result_.loads.push_back(std::move(load));
  }

  const model::Force<S>* find_force(const std::string& name) const {
    for (const model::NamedForce<S>& named : mechanism_.forces) {
      if (named.name == name) return named.force.get();
    }
    return nullptr;
  }

  // Coordinates that move one node against the other.
  std::vector<int> between(int a, int b) const {
    const std::set<int> first = path(a);
    const std::set<int> second = path(b);
    std::vector<int> list;
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::back_inserter(list));
    return list;
  }

  // Of a force that is made of formulas.
  std::vector<int> touched_by(const model::Item& item) const {
    std::set<int> all;
    for (const model::NamedLaw<S>& law : mechanism_.laws) {
      if (law.name != item.name && law.name.rfind(item.name + ".", 0) != 0) continue;
      for (const int node : law.law.nodes().nodes()) all.merge(path(node));
    }
    return {all.begin(), all.end()};
  }

  // The point that an item names, on a node.
  FrameOn attachment(const model::Item& item, std::size_t which, int node) const {
    FrameOn frame;
    const model::Node<S>& on = mechanism_.nodes[at(node)];
    if (item.at) {
      const formulation::Pose<S> pose =
          node == 0 ? formulation::Pose<S>{} : formulation::node_pose(on, mechanism_.described.q);
      const FrameOn stands = seen_in_space(pose);
      frame.p = stands.R.transpose() * (*item.at - stands.p);
      return frame;
    }
    frame.p.template head<S::dimension>() = on.origin;
    const auto is_body = [&](std::string_view name) {
      return std::any_of(description_.bodies.begin(), description_.bodies.end(),
                         [&](const model::Body& body) { return body.name == name; });
    };
    const model::Attachment named = model::split_attachment(item.attachments[which], is_body);
    if (!named.frame) return frame;
    const auto add = [&](const std::vector<model::Frame>& frames) {
      for (const model::Frame& each : frames) {
        if (each.name == *named.frame) frame.p += each.position;
      }
    };
    if (named.body == "ground") add(description_.ground_frames);
    for (const model::Body& body : description_.bodies) {
      if (body.name == named.body) add(body.frames);
    }
    return frame;
  }

  Line line_between(const model::Item& item, int a, int b) const {
    const Vector d = (geometry_.nodes[at(b)] * attachment(item, 1, b)).p -
                     (geometry_.nodes[at(a)] * attachment(item, 0, a)).p;
    Line line;
    line.squared_length = dot(d, d);
    line.squared_length = line.squared_length.without_round_off(line.squared_length.size());
    for (int k = 0; k < size(); ++k) {
      line.half_gradient.push_back(0.5 * line.squared_length.derivative(k));
    }
    return line;
  }

  Line::Spring spring_of(const model::Item& item) const {
    const model::ForceKind& kind = *model::find_force_kind(S::space, item.type);
    const auto value = [&](const char* name) {
      if (model::has(item.values, name)) return model::number(item.values, name);
      for (const model::Field& field : kind.fields) {
        if (field.name == name && field.fallback) return std::get<double>(*field.fallback);
      }
      return 0.0;
    };
    return {.stiffness = value("stiffness"),
            .damping = value("damping"),
            .length = value("length"),
            .preload = value("preload")};
  }

  const model::Description& description_;
  const model::Mechanism<S>& mechanism_;
  const topology::Tree& topology_;
  const HingeTree<S>& tree_;
  TreeGeometry geometry_;
  Equations result_;
};

template <class S>
Equations written_in(const model::Description& description, formulation::RelativeModel& relative) {
  const auto mechanism = model::build_mechanism<S>(description);
  const HingeTree<S> tree = formulation::build_hinge_tree<S>(
      description, *mechanism, relative.tree(), formulation::HingeDrives::rows);
  std::vector<std::string> names;
  for (int k = 0; k < relative.sizes().v; ++k)
    names.push_back(system::coordinate_name(relative, k));
  return EquationWriter<S>(description, *mechanism, relative.tree(), tree, std::move(names))
      .write();
}

}  // namespace

std::size_t Equations::terms() const {
  std::size_t count = 0;
  for (int k = 0; k < size(); ++k) {
    count += weight[at(k)].terms().size();
    for (int i = 0; i < size(); ++i) {
      count += mass[at(k)][at(i)].terms().size();
      for (int j = 0; j <= i; ++j) count += velocity_terms[at(k)][at(i)][at(j)].terms().size();
    }
    for (const Row& row : rows) count += row.by_x[at(k)].terms().size();
  }
  return count;
}

Equations equations_of_motion(const model::Description& description) {
  model::Description checked = description;
  core::Diagnostics diagnostics;
  model::check(checked, diagnostics);
  diagnostics.throw_if_errors();
  const auto relative = formulation::compile_relative(description, formulation::HingeDrives::rows);
  return checked.space == model::Space::planar ? written_in<Planar>(checked, *relative)
                                               : written_in<Spatial>(checked, *relative);
}

}  // namespace trammel::symbolic
