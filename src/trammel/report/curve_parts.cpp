#include "trammel/report/curve_parts.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/curves/curve_fields.h"
#include "trammel/report/made_surfaces.h"

namespace trammel::report {
namespace {

using Eigen::Vector3d;
using model::JointSymbol;
using Line = std::vector<Vector3d>;

constexpr int samples = 180;

template <int D>
Vector3d in_space(const Eigen::Matrix<double, D, 1>& c) {
  Vector3d point = Vector3d::Zero();
  point.head<D>() = c;
  return point;
}

template <int D>
Line sampled(const model::Curve<D>& curve) {
  Line line;
  for (int i = 0; i <= samples; ++i) {
    line.push_back(
        in_space<D>(curve.at(curve.from() + (curve.to() - curve.from()) * i / samples).c));
  }
  return line;
}

// A graph has no ends: from the point to either side, until it leaves what one wants to see.
template <int D>
Line sampled(const model::Graph& graph, const Vector3d& point, double size) {
  const double reach = 1.2 * std::max(std::abs(point.x()), 0.5 * size);
  const double step = 2.0 * reach / samples;
  const auto at = [&](double x) {
    Vector3d c(x, 0.0, 0.0);
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(D); ++i) {
      c[static_cast<Eigen::Index>(i + 1)] = model::evaluated(*graph.heights[i], x).value;
    }
    return c;
  };
  const auto visible = [&](const Vector3d& c) {
    return c.allFinite() && std::abs(c.x()) <= reach && (c - point).norm() < 3.0 * reach;
  };
  Line line;
  for (double x = point.x(); visible(at(x)); x -= step) line.push_back(at(x));
  std::reverse(line.begin(), line.end());
  for (double x = point.x() + step; visible(at(x)); x += step) line.push_back(at(x));
  return line;
}

template <int D>
Line given_line(const model::Values& values,
                const std::string& suffix,
                const Vector3d& point,
                double size) {
  const model::GivenCurve<D> given = model::given_curve<D>(values, suffix);
  return given.graph ? sampled<D>(*given.graph, point, size) : sampled<D>(*given.curve);
}

bool has_profile(JointSymbol symbol) {
  return symbol == JointSymbol::profiles || symbol == JointSymbol::roller_on_cam ||
         symbol == JointSymbol::face_on_cam;
}

Part part_of(math::TriangleMesh mesh, const End& end) {
  return mesh_part(std::move(mesh), end.position, end.rotation);
}

class Maker {
 public:
  Maker(const model::Item& joint,
        JointSymbol symbol,
        const std::vector<End>& ends,
        const Vector3d& point,
        const std::vector<bool>& shaped,
        const Proportions& proportions)
      : joint_(joint),
        symbol_(symbol),
        ends_(ends),
        point_(point),
        shaped_(shaped),
        p_(proportions) {}

  std::vector<EndPart> make() {
    if (symbol_ == JointSymbol::follower || symbol_ == JointSymbol::bead) {
      wire(0, "");
    } else if (symbol_ == JointSymbol::wires) {
      wire(0, "");
      wire(1, "_b");
    } else {
      profile(0, "");
      if (symbol_ == JointSymbol::profiles) profile(1, "_b");
      if (symbol_ == JointSymbol::roller_on_cam) roller();
      if (symbol_ == JointSymbol::face_on_cam) face();
    }
    return std::move(parts_);
  }

 private:
  void add(std::size_t end, Part part) { parts_.push_back({end, std::move(part)}); }

  void wire(std::size_t end, const std::string& suffix) {
    const Line line = p_.planar ? given_line<2>(joint_.values, suffix, point_, p_.size)
                                : given_line<3>(joint_.values, suffix, point_, p_.size);
    if (line.size() > 1) add(end, part_of(rod_mesh(line, 0.22 * p_.bar_width), ends_[end]));
  }

  void profile(std::size_t end, const std::string& suffix) {
    Line rim = sampled(*model::given_profile(joint_.values, suffix));
    if (shaped_[end]) {
      add(end, part_of(rod_mesh(rim, 0.2 * p_.bar_width), ends_[end]));
      return;
    }
    rim.pop_back();  // the first once more
    const double thickness = 0.5 * p_.bar_width;
    add(end, part_of(plate_mesh(rim, thickness), ends_[end]));
    // Without a mark nobody sees the plate turn.
    const double radius = rim.front().norm();
    add(end, {.kind = Part::Kind::box,
              .size = {0.6 * radius, 0.11 * radius, 1.06 * thickness},
              .position = ends_[end].position + ends_[end].rotation * (0.6 * rim.front()),
              .rotation = ends_[end].rotation,
              .mark = true});
  }

  void roller() {
    const double radius = model::number(joint_.values, "roller_radius");
    if (!(radius > 0.0)) return;
    add(1, {.kind = Part::Kind::cylinder,
            .size = {radius, 0.5 * p_.bar_width, 0.0},
            .position = ends_[1].position,
            .rotation = ends_[1].rotation});
  }

  // The cam lies on the right of the direction: the face is the lower edge of a bar.
  void face() {
    const Vector3d along = model::vector(joint_.values, "face").normalized();
    const double width = 0.4 * p_.bar_width;
    const Vector3d above(-along.y(), along.x(), 0.0);
    add(1, {.kind = Part::Kind::box,
            .size = {1.6 * profile_radii(joint_, symbol_)[0], width, 0.5 * p_.bar_width},
            .position = ends_[1].position + ends_[1].rotation * (0.5 * width * above),
            .rotation = ends_[1].rotation * math::shortest_rotation(Vector3d::UnitX(), along)});
  }

  const model::Item& joint_;
  JointSymbol symbol_;
  const std::vector<End>& ends_;
  const Vector3d& point_;
  const std::vector<bool>& shaped_;
  const Proportions& p_;
  std::vector<EndPart> parts_;
};

}  // namespace

bool has_curves(JointSymbol symbol) {
  return symbol == JointSymbol::follower || symbol == JointSymbol::bead ||
         symbol == JointSymbol::wires || has_profile(symbol);
}

std::array<double, 2> profile_radii(const model::Item& joint, JointSymbol symbol) {
  std::array<double, 2> radii{0.0, 0.0};
  if (!has_profile(symbol)) return radii;
  const auto radius = [&](const std::string& suffix) {
    double largest = 0.0;
    for (const Vector3d& point : sampled(*model::given_profile(joint.values, suffix))) {
      largest = std::max(largest, point.norm());
    }
    return largest;
  };
  radii[0] = radius("");
  if (symbol == JointSymbol::profiles) radii[1] = radius("_b");
  return radii;
}

std::vector<EndPart> curve_parts(const model::Item& joint,
                                 JointSymbol symbol,
                                 const std::vector<End>& ends,
                                 const Vector3d& point,
                                 const std::vector<bool>& shaped,
                                 const Proportions& proportions) {
  if (!has_curves(symbol) || ends.size() != 2) return {};
  return Maker(joint, symbol, ends, point, shaped, proportions).make();
}

}  // namespace trammel::report
