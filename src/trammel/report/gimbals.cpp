#include "trammel/report/gimbals.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "trammel/math/rotation.h"

namespace trammel::report {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// One end of a hinge, seen from a body.
struct Seat {
  int other = -1;
  Vector3d position;
  Vector3d axis;
};

constexpr double gap = 1.22;   ///< from what turns inside to the ring
constexpr double bore = 0.86;  ///< inner by outer radius of a ring
constexpr double flatness = 0.14;

class Gimbals {
 public:
  Gimbals(const std::vector<Hinge>& hinges,
          const std::function<std::vector<Part>(int)>& parts_of,
          const std::function<bool(int)>& may_change,
          const Proportions& proportions)
      : parts_of_(parts_of), proportions_(proportions) {
    for (const Hinge& hinge : hinges) {
      seats_[hinge.first].push_back({hinge.second, hinge.position_in_first, hinge.axis_in_first});
      seats_[hinge.second].push_back({hinge.first, hinge.position_in_second, hinge.axis_in_second});
    }
    for (const auto& [body, seats] : seats_) {
      if (body >= 0 && may_change(body)) find_ring(body, seats);
    }
  }

  std::map<int, std::vector<Part>> parts() {
    std::map<int, std::vector<Part>> result;
    for (const auto& [body, normal] : normals_) {
      std::vector<Part> list{ring(body, normal)};
      add_weight(body, list);
      result[body] = std::move(list);
    }
    for (const auto& [body, normal] : normals_) {
      for (const Seat& seat : seats_.at(body)) add_shafts(body, seat, result);
    }
    return result;
  }

 private:
  void find_ring(int body, const std::vector<Seat>& seats) {
    const double near = 1e-3 * proportions_.size;
    const Seat& first = seats.front();
    const bool together = std::all_of(seats.begin(), seats.end(), [&](const Seat& seat) {
      return (seat.position - first.position).norm() < near;
    });
    if (!together) return;
    for (const Seat& seat : seats) {
      const Vector3d normal = first.axis.cross(seat.axis);
      if (normal.norm() > 0.2) normals_.emplace(body, normal.normalized());
    }
  }

  /// Farthest point of a body from its hinge; rings know theirs. `from`: where one comes from, so
  /// that the way leads inwards.
  double extent(int body, int from) {
    if (body < 0) return 0.0;
    const auto known = radii_.find(body);
    if (known != radii_.end()) return known->second;
    if (normals_.contains(body)) return ring_radius(body, from);
    double farthest = 0.0;
    const Vector3d seat = seats_.at(body).front().position;
    for (const Part& part : parts_of_(body)) {
      farthest = std::max(farthest, (part.position - seat).norm() + reach(part));
    }
    return farthest;
  }

  /// Away from the ground: the hinge that leads to it is the one of the smallest number of steps.
  double ring_radius(int body, int from) {
    double inside = 0.0;
    visiting_.insert(body);
    for (const Seat& seat : seats_.at(body)) {
      if (seat.other == from || seat.other < 0 || visiting_.contains(seat.other)) continue;
      inside = std::max(inside, extent(seat.other, body));
    }
    visiting_.erase(body);
    if (inside <= 0.0) inside = 0.1 * proportions_.size;
    return radii_[body] = gap * inside;
  }

  /// The neighbour towards the ground; breadth first.
  int outer(int body) const {
    std::map<int, int> came_from{{body, body}};
    std::vector<int> queue{body};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Seat& seat : seats_.at(queue[i])) {
        if (!came_from.emplace(seat.other, queue[i]).second) continue;
        if (seat.other >= 0) {
          queue.push_back(seat.other);
          continue;
        }
        int step = -1;
        for (int at = queue[i]; at != body; at = came_from.at(at)) step = at;
        return queue[i] == body ? -1 : step;
      }
    }
    return -1;
  }

  double radius(int body) {
    const auto known = radii_.find(body);
    return known != radii_.end() ? known->second : ring_radius(body, outer(body));
  }

  Part ring(int body, const Vector3d& normal) {
    const double R = radius(body);
    return {.kind = Part::Kind::cylinder,
            .size = {R, flatness * R, bore * R},
            .position = seats_.at(body).front().position,
            .rotation = math::shortest_rotation(Vector3d::UnitZ(), normal)};
  }

  /// What stands out of a ring, as the mass centre of one that is out of balance: a ball on a rod.
  void add_weight(int body, std::vector<Part>& list) {
    const Vector3d seat = seats_.at(body).front().position;
    const double R = radius(body);
    for (const Part& part : parts_of_(body)) {
      const Vector3d half = part.kind == Part::Kind::bar
                                ? Vector3d(part.rotation * Vector3d(0.5 * part.size[0], 0.0, 0.0))
                                : Vector3d(Vector3d::Zero());
      const Vector3d near = part.position - half;
      const Vector3d far = part.position + half;
      const Vector3d tip = (near - seat).norm() > (far - seat).norm() ? near : far;
      const Vector3d arm = tip - seat;
      if (arm.norm() <= 1.05 * R) continue;
      list.push_back({.kind = Part::Kind::sphere, .size = {0.18 * R, 0.0, 0.0}, .position = tip});
      list.push_back(shaft(seat + R / arm.norm() * arm, tip, R));
    }
  }

  static Part shaft(const Vector3d& from, const Vector3d& to, double R) {
    const Vector3d along = to - from;
    return {.kind = Part::Kind::bar,
            .size = {along.norm(), 0.07 * R, 0.0},
            .position = 0.5 * (from + to),
            .rotation = math::shortest_rotation(Vector3d::UnitX(), along)};
  }

  /// Between a ring and what turns in it, or the ground around it: they ride on the inner body.
  void add_shafts(int body, const Seat& seat, std::map<int, std::vector<Part>>& result) {
    const double R = radius(body);
    if (seat.other < 0) {
      for (const double side : {1.0, -1.0}) {
        result[body].push_back(shaft(seat.position + side * 0.95 * R * seat.axis,
                                     seat.position + side * 1.2 * R * seat.axis, R));
      }
      return;
    }
    if (seat.other == outer(body)) return;
    const auto& inner_seats = seats_.at(seat.other);
    const auto back = std::find_if(inner_seats.begin(), inner_seats.end(),
                                   [&](const Seat& s) { return s.other == body; });
    const bool is_ring = normals_.contains(seat.other);
    auto place = result.find(seat.other);
    if (place == result.end()) place = result.emplace(seat.other, parts_of_(seat.other)).first;
    const double begin = is_ring ? 0.95 * radius(seat.other) : 0.0;
    for (const double side : {1.0, -1.0}) {
      place->second.push_back(shaft(back->position + side * begin * back->axis,
                                    back->position + side * 0.9 * R * back->axis, R));
    }
  }

  const std::function<std::vector<Part>(int)>& parts_of_;
  Proportions proportions_;
  std::map<int, std::vector<Seat>> seats_;
  std::map<int, Vector3d> normals_;  ///< of the rings
  std::map<int, double> radii_;
  std::set<int> visiting_;
};

}  // namespace

std::map<int, std::vector<Part>> gimbal_parts(const std::vector<Hinge>& hinges,
                                              const std::function<std::vector<Part>(int)>& parts_of,
                                              const std::function<bool(int)>& may_change,
                                              const Proportions& proportions) {
  return Gimbals(hinges, parts_of, may_change, proportions).parts();
}

}  // namespace trammel::report
