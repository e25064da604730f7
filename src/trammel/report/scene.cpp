#include "trammel/report/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "trammel/model/kinds.h"
#include "trammel/report/curve_parts.h"
#include "trammel/report/gimbals.h"

namespace trammel::report {
namespace {

using Eigen::Vector3d;
using model::JointSymbol;

class Builder {
 public:
  explicit Builder(const model::Description& description) : description_(description) {
    for (std::size_t i = 0; i < description.bodies.size(); ++i) {
      index_[description.bodies[i].name] = static_cast<int>(i);
    }
    for (const model::Frame& frame : description.ground_frames) {
      ground_frames_.emplace(frame.name, &frame);
    }
  }

  Scene build() {
    for (const model::Item& item : description_.joints) scene_.joint_ends.push_back(ends(item));
    for (const model::Item& item : description_.forces) scene_.force_ends.push_back(ends(item));
    for (const model::Item& item : description_.sensors) scene_.sensor_ends.push_back(ends(item));
    scene_.bodies.resize(description_.bodies.size());
    collect_points();
    measure();
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      scene_.bodies[i].parts = body_parts(description_.bodies[i], holds_[i], proportions());
    }
    add_curves();
    if (description_.space == model::Space::planar) {
      choose_layers();
    } else {
      make_gimbals();
    }
    return std::move(scene_);
  }

 private:
  JointSymbol symbol_of(const model::Item& joint) const {
    return model::find_joint_kind(description_.space, joint.type)->symbol;
  }

  End resolve(const std::string& attachment) const {
    const auto is_body = [&](std::string_view name) {
      return index_.find(std::string(name)) != index_.end();
    };
    const model::Attachment parts = model::split_attachment(attachment, is_body);
    End end;
    const auto found = index_.find(std::string(parts.body));
    if (found != index_.end()) end.body = found->second;
    if (!parts.frame) return end;
    const model::Frame* frame = frame_of(end.body, *parts.frame);
    if (frame == nullptr) return end;
    end.position = frame->position;
    end.rotation = frame->rotation;
    return end;
  }

  // The ground may have a frame for each of many instances; bodies have a few.
  const model::Frame* frame_of(int body, std::string_view name) const {
    if (body < 0) {
      const auto found = ground_frames_.find(name);
      return found == ground_frames_.end() ? nullptr : found->second;
    }
    const auto& frames = description_.bodies[static_cast<std::size_t>(body)].frames;
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const model::Frame& frame) { return frame.name == name; });
    return found == frames.end() ? nullptr : &*found;
  }

  // A frame at a world point of the described configuration has world axes.
  void move_to(const Vector3d& at, End& end) const {
    end.position = at;
    end.rotation.setIdentity();
    if (end.body < 0) return;
    const model::Body& body = description_.bodies[static_cast<std::size_t>(end.body)];
    end.position = body.orientation.conjugate() * (at - body.position);
    end.rotation = body.orientation.conjugate();
  }

  std::vector<End> ends(const model::Item& item) const {
    std::vector<End> list;
    for (const std::string& attachment : item.attachments) {
      list.push_back(resolve(attachment));
      if (item.at) move_to(*item.at, list.back());
    }
    return list;
  }

  Vector3d world(const End& end) const {
    if (end.body < 0) return end.position;
    const model::Body& body = description_.bodies[static_cast<std::size_t>(end.body)];
    return body.position + body.orientation * end.position;
  }

  // Distances that are driven, or along which a force acts: legs without mass.
  std::vector<const std::vector<End>*> jacks() const {
    std::vector<const std::vector<End>*> list;
    for (const std::vector<model::Item>* items : {&description_.drives, &description_.forces}) {
      for (const model::Item& item : *items) add_jacks(item, list);
    }
    return list;
  }

  void add_jacks(const model::Item& item, std::vector<const std::vector<End>*>& list) const {
    if (!model::has(item.values, "coordinate")) return;
    const std::string& name = model::text(item.values, "coordinate");
    for (std::size_t i = 0; i < description_.sensors.size(); ++i) {
      const model::Item& sensor = description_.sensors[i];
      if (sensor.name == name && sensor.type == "distance") list.push_back(&scene_.sensor_ends[i]);
    }
  }

  void collect_points() {
    holds_.resize(description_.bodies.size());
    for (std::size_t j = 0; j < scene_.joint_ends.size(); ++j) {
      const model::Item& joint = description_.joints[j];
      const JointSymbol symbol = symbol_of(joint);
      const bool slides = symbol == JointSymbol::rail || symbol == JointSymbol::guide ||
                          symbol == JointSymbol::sleeve;
      profiles_.push_back(profile_radii(joint, symbol));
      for (std::size_t i = 0; i < scene_.joint_ends[j].size(); ++i) {
        const bool curved = symbol == JointSymbol::wires || (i < 2 && profiles_[j][i] > 0.0);
        add_hold(scene_.joint_ends[j][i], slides, joint, curved);
      }
      make_room(joint, scene_.joint_ends[j]);
    }
    for (const std::vector<End>* ends : jacks()) {
      for (const End& end : *ends) add_hold(end, false, {}, false);
    }
    for (std::size_t j = 0; j < scene_.force_ends.size(); ++j) {
      for (const End& end : scene_.force_ends[j])
        add_hold(end, false, description_.forces[j], false);
    }
  }

  // The last hold is that of the follower.
  void make_room(const model::Item& joint, const std::vector<End>& ends) {
    const bool roller = symbol_of(joint) == JointSymbol::roller_on_cam;
    const bool face = symbol_of(joint) == JointSymbol::face_on_cam;
    if ((!roller && !face) || ends[1].body < 0) return;
    const auto body = static_cast<std::size_t>(ends[1].body);
    const Vector3d away = world(ends[1]) - world(ends[0]);
    if (away.isZero(0.0)) return;
    const double size = roller ? model::number(joint.values, "roller_radius") : 0.0;
    holds_[body].back().room = description_.bodies[body].orientation.conjugate() *
                               away.normalized() * std::max(size, 0.02 * away.norm());
  }

  void add_hold(const End& end, bool slides, const model::Item& item, bool profile) {
    if (end.body < 0) return;
    Hold hold{end.position, slides, Vector3d::UnitX()};
    if (slides) hold.axis = axis_of(item, end);
    hold.profile = profile;
    holds_[static_cast<std::size_t>(end.body)].push_back(hold);
  }

  /// The origin of the second end in the frame of the first, as described.
  Vector3d between(const std::vector<End>& ends) const {
    Eigen::Quaterniond rotation = ends[0].rotation;
    if (ends[0].body >= 0) {
      rotation = description_.bodies[static_cast<std::size_t>(ends[0].body)].orientation * rotation;
    }
    return rotation.conjugate() * (world(ends[1]) - world(ends[0]));
  }

  void add_curves() {
    for (std::size_t j = 0; j < scene_.joint_ends.size(); ++j) {
      const std::vector<End>& ends = scene_.joint_ends[j];
      const JointSymbol symbol = symbol_of(description_.joints[j]);
      if (!has_curves(symbol) || ends.size() != 2) continue;
      std::vector<bool> shaped;
      for (const End& end : ends) {
        shaped.push_back(end.body >= 0 &&
                         !description_.bodies[static_cast<std::size_t>(end.body)].shapes.empty());
      }
      for (EndPart& each : curve_parts(description_.joints[j], symbol, ends, between(ends), shaped,
                                       proportions())) {
        const int body = ends[each.end].body;
        std::vector<Part>& parts =
            body < 0 ? scene_.ground_parts : scene_.bodies[static_cast<std::size_t>(body)].parts;
        parts.push_back(std::move(each.part));
      }
    }
  }

  /// The axis of a joint in the frame of a body.
  Vector3d axis_of(const model::Item& item, const End& end, bool second = false) const {
    auto axis = item.values.find("axis_b");
    if (!second || axis == item.values.end()) axis = item.values.find("axis");
    const Vector3d* direction =
        axis == item.values.end() ? nullptr : std::get_if<Vector3d>(&axis->second);
    const Vector3d fallback = description_.space == model::Space::planar
                                  ? Vector3d(Vector3d::UnitX())
                                  : Vector3d(Vector3d::UnitZ());
    return end.rotation * (direction != nullptr ? *direction : fallback).normalized();
  }

  // The diagonal of a box around everything that has a place.
  void measure() {
    Eigen::AlignedBox3d box;
    for (const auto* list : {&scene_.joint_ends, &scene_.force_ends}) {
      for (const std::vector<End>& item : *list) {
        for (const End& end : item) box.extend(world(end));
      }
    }
    for (const std::vector<End>* ends : jacks()) {
      for (const End& end : *ends) box.extend(world(end));
    }
    std::vector<double> lengths;
    for (std::size_t j = 0; j < profiles_.size(); ++j) {
      for (std::size_t i = 0; i < 2; ++i) {
        const double radius = profiles_[j][i];
        if (!(radius > 0.0)) continue;
        const Vector3d center = world(scene_.joint_ends[j][i]);
        box.extend(Vector3d(center - Vector3d(radius, radius, 0.0)));
        box.extend(Vector3d(center + Vector3d(radius, radius, 0.0)));
        lengths.push_back(2.0 * radius);
      }
    }
    for (std::size_t i = 0; i < description_.bodies.size(); ++i) {
      const model::Body& body = description_.bodies[i];
      const double reach = shapes_reach(body);
      box.extend(Vector3d(body.position.array() - reach));
      box.extend(Vector3d(body.position.array() + reach));
      box.extend(Vector3d(body.position + body.orientation * body.mass.center));
      const double length = longest_distance(body, holds_[i]);
      if (length > 0.0) lengths.push_back(length);
    }
    const double diagonal = box.isEmpty() ? 0.0 : box.diagonal().norm();
    scene_.size = diagonal > 0.0 ? diagonal : inertia_length();
    scene_.bar_width = 0.035 * scene_.size;
    if (lengths.empty()) return;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    scene_.bar_width = std::clamp(0.16 * *middle, 0.006 * scene_.size, 0.035 * scene_.size);
  }

  // A single body at the origin: its radius of gyration is all there is.
  double inertia_length() const {
    double length = 0.0;
    for (const model::Body& body : description_.bodies) {
      if (body.mass.mass > 0.0) {
        length = std::max(length, 4.0 * std::sqrt(body.mass.inertia.trace() / body.mass.mass));
      }
    }
    return length > 0.0 ? length : 1.0;
  }

  Proportions proportions() const {
    return {scene_.size, scene_.bar_width, description_.space == model::Space::planar};
  }

  void make_gimbals() {
    std::vector<Hinge> hinges;
    for (std::size_t j = 0; j < scene_.joint_ends.size(); ++j) {
      const std::vector<End>& ends = scene_.joint_ends[j];
      if (symbol_of(description_.joints[j]) != JointSymbol::axle || ends.size() != 2) continue;
      hinges.push_back({ends[0].body, ends[1].body, ends[1].position,
                        axis_of(description_.joints[j], ends[0]),
                        axis_of(description_.joints[j], ends[1], true), ends[0].position});
    }
    const auto parts_of = [&](int i) { return scene_.bodies[static_cast<std::size_t>(i)].parts; };
    const auto may_change = [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      const model::Body& body = description_.bodies[k];
      // Whatever else takes hold of it would hang in the air.
      const auto hinged = [&](const Hinge& hinge) { return hinge.first == i || hinge.second == i; };
      const auto count = std::count_if(hinges.begin(), hinges.end(), hinged);
      return body.kind == model::BodyKind::rigid && body.shapes.empty() &&
             static_cast<std::size_t>(count) == holds_[k].size();
    };
    for (auto& [body, parts] : gimbal_parts(hinges, parts_of, may_change, proportions())) {
      scene_.bodies[static_cast<std::size_t>(body)].parts = std::move(parts);
    }
  }

  // Of each body its own number; of the nodes of a body that bends that of the first.
  std::vector<std::size_t> wholes() const {
    std::unordered_map<std::string_view, std::size_t> first;
    std::vector<std::size_t> list;
    for (const model::Body& body : description_.bodies) {
      const std::size_t own = list.size();
      list.push_back(body.part_of.empty() ? own : first.emplace(body.part_of, own).first->second);
    }
    return list;
  }

  // The lowest layer that no neighbour has.
  void choose_layers() {
    const std::vector<std::size_t> whole = wholes();
    std::vector<std::vector<std::size_t>> neighbours(scene_.bodies.size());
    for (const std::vector<End>& joint : scene_.joint_ends) {
      if (joint.size() < 2 || joint[0].body < 0 || joint[1].body < 0) continue;
      const std::size_t a = whole[static_cast<std::size_t>(joint[0].body)];
      const std::size_t b = whole[static_cast<std::size_t>(joint[1].body)];
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (whole[i] != i) {
        scene_.bodies[i].layer = scene_.bodies[whole[i]].layer;
        continue;
      }
      std::vector<bool> taken(neighbours[i].size() + 1);
      for (const std::size_t other : neighbours[i]) {
        const auto layer = static_cast<std::size_t>(scene_.bodies[other].layer);
        if (other < i && layer < taken.size()) taken[layer] = true;
      }
      const auto free = std::find(taken.begin(), taken.end(), false);
      scene_.bodies[i].layer = static_cast<int>(free - taken.begin());
    }
  }

  const model::Description& description_;
  std::unordered_map<std::string, int> index_;
  std::unordered_map<std::string_view, const model::Frame*> ground_frames_;
  std::vector<std::vector<Hold>> holds_;
  std::vector<std::array<double, 2>> profiles_;  ///< per joint: radii at its ends
  Scene scene_;
};

}  // namespace

std::string_view name_of(Part::Kind kind) {
  static constexpr std::array<std::string_view, 6> names = {"box",  "cylinder", "sphere",
                                                            "cone", "bar",      "mesh"};
  return names.at(static_cast<std::size_t>(kind));
}

Scene make_scene(const model::Description& description) {
  return Builder(description).build();
}

}  // namespace trammel::report
