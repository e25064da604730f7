#include "trammel/model/flexible/beam_line.h"

#include <cmath>
#include <numeric>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Below this share of the length points coincide and lines are straight.
constexpr double negligible_share = 1e-9;

/// An arc from the start through a point to the tip: about `axis` by `angle`.
struct Arc {
  Vector3d center;
  Vector3d axis;
  double radius = 0.0;
  double angle = 0.0;
};

bool lies_on_the_chord(const SpatialBeam& body) {
  const Vector3d chord = body.tip - body.start;
  const Vector3d way = *body.through - body.start;
  return chord.cross(way).norm() <= negligible_share * chord.norm() * way.norm() ||
         (*body.through - body.tip).norm() <= negligible_share * chord.norm();
}

Arc arc_of(const SpatialBeam& body) {
  const Vector3d a = *body.through - body.start;
  const Vector3d b = body.tip - body.start;
  const Vector3d n = a.cross(b);
  const Vector3d to_center =
      (b.squaredNorm() * n.cross(a) - a.squaredNorm() * n.cross(b)) / (2.0 * n.squaredNorm());
  Arc arc{.center = body.start + to_center, .axis = n.normalized(), .radius = to_center.norm()};
  // From the start through the point to the tip the arc turns to the left of the axis a x b.
  const Vector3d x = -to_center.normalized();
  const Vector3d y = arc.axis.cross(x);
  const Vector3d end = body.tip - arc.center;
  arc.angle = std::atan2(y.dot(end), x.dot(end));
  if (arc.angle <= 0.0) arc.angle += 2.0 * M_PI;
  return arc;
}

/// Axes with x along a direction and y as near to another as can be.
Matrix3d axes_along(const Vector3d& direction, const Vector3d& y_axis) {
  const Vector3d x = direction.normalized();
  Vector3d y = y_axis - x.dot(y_axis) * x;
  if (y_axis.isZero()) {
    // z as near to the world's z as can be: lines in the x-y plane bend in it about z.
    y = Vector3d::UnitZ().cross(x);
    if (y.norm() < 1e-6) y = Vector3d::UnitY();
  }
  y = (y - x.dot(y) * x).normalized();
  Matrix3d R;
  R << x, y, x.cross(y);
  return R;
}

/// How many elements each piece gets: at least one, and then by length.
std::vector<int> shared_elements(const std::vector<double>& lengths, int elements) {
  std::vector<int> shares(lengths.size(), 1);
  for (int left = elements - static_cast<int>(lengths.size()); left > 0; --left) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < lengths.size(); ++i) {
      if (lengths[i] * shares[longest] > lengths[longest] * shares[i]) longest = i;
    }
    ++shares[longest];
  }
  return shares;
}

/// Writes a line element by element.
class LineMaker {
 public:
  LineMaker(const Vector3d& start, const Matrix3d& axes) {
    line_.nodes.push_back({0.0, start, axes});
  }

  void add(const Vector3d& end,
           double length,
           const Matrix3d& first,
           const Matrix3d& second,
           bool repeats) {
    line_.elements.push_back({length, first, second, repeats});
    line_.length += length;
    line_.nodes.push_back({line_.length, end, second});
  }
  const Matrix3d& axes() const { return line_.nodes.back().R; }
  BeamLine finish() {
    for (BeamLine::Node& node : line_.nodes) node.along /= line_.length;
    line_.nodes.back().along = 1.0;
    return std::move(line_);
  }

 private:
  BeamLine line_;
};

BeamLine curved_line(const SpatialBeam& body) {
  const Arc arc = arc_of(body);
  const Vector3d spoke = body.start - arc.center;
  const Matrix3d first = axes_along(arc.axis.cross(spoke), body.y_axis);
  const auto turned = [&](int k) -> Matrix3d {
    return Eigen::AngleAxisd(arc.angle * k / body.elements, arc.axis).toRotationMatrix();
  };
  LineMaker maker(body.start, first);
  for (int k = 0; k < body.elements; ++k) {
    const Vector3d end =
        k + 1 == body.elements ? body.tip : Vector3d(arc.center + turned(k + 1) * spoke);
    maker.add(end, arc.radius * arc.angle / body.elements, turned(k) * first, turned(k + 1) * first,
              k > 0);
  }
  return maker.finish();
}

BeamLine cornered_line(const SpatialBeam& body) {
  const std::vector<Vector3d> corners = beam_corners(body);
  std::vector<double> lengths;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    lengths.push_back((corners[i] - corners[i - 1]).norm());
  }
  const std::vector<int> shares = shared_elements(lengths, body.elements);
  LineMaker maker(corners[0], axes_along(corners[1] - corners[0], body.y_axis));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Vector3d way = corners[i + 1] - corners[i];
    Matrix3d axes = maker.axes();
    if (i > 0) {
      axes = math::shortest_rotation(axes.col(0), way).toRotationMatrix() * axes;
    }
    for (int k = 0; k < shares[i]; ++k) {
      const Vector3d end = k + 1 == shares[i]
                               ? corners[i + 1]
                               : Vector3d(corners[i] + way * ((k + 1.0) / shares[i]));
      // The first of a piece stands on a node with the axes of the piece before.
      maker.add(end, lengths[i] / shares[i], axes, axes, i == 0 ? k > 0 : k > 1);
    }
  }
  return maker.finish();
}

Vector3d first_direction(const SpatialBeam& body) {
  if (!body.through) return beam_corners(body)[1] - body.start;
  const Arc arc = arc_of(body);
  return arc.axis.cross(body.start - arc.center);
}

LineMistake corner_mistake(const SpatialBeam& body) {
  const std::vector<Vector3d> corners = beam_corners(body);
  double length = 0.0;
  for (std::size_t i = 1; i < corners.size(); ++i) length += (corners[i] - corners[i - 1]).norm();
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const Vector3d way = corners[i] - corners[i - 1];
    if (!(way.norm() > negligible_share * length)) {
      return {"corners", fmt::format("corner {} is where the one before it is", i),
              "elements need a length: leave one of them out"};
    }
    if (i + 1 < corners.size()) {
      const Vector3d next = corners[i + 1] - corners[i];
      if (way.normalized().dot(next.normalized()) < -1.0 + 1e-12) {
        return {"corners", fmt::format("the line turns back on itself at corner {}", i),
                "a section cannot follow it: leave the corner out or move it"};
      }
    }
  }
  if (static_cast<int>(corners.size()) - 1 > body.elements) {
    return {"elements",
            fmt::format("{} elements for a line of {} straight pieces", body.elements,
                        corners.size() - 1),
            "give at least one element for each piece"};
  }
  return {};
}

}  // namespace

std::vector<Vector3d> beam_corners(const SpatialBeam& body) {
  std::vector<Vector3d> points{body.start};
  points.insert(points.end(), body.corners.begin(), body.corners.end());
  points.push_back(body.tip);
  return points;
}

double beam_length(const SpatialBeam& body) {
  if (body.through) {
    const Arc arc = arc_of(body);
    return arc.radius * arc.angle;
  }
  const std::vector<Vector3d> corners = beam_corners(body);
  double length = 0.0;
  for (std::size_t i = 1; i < corners.size(); ++i) length += (corners[i] - corners[i - 1]).norm();
  return length;
}

LineMistake line_mistake(const SpatialBeam& body) {
  for (const Vector3d& corner : body.corners) {
    if (!corner.allFinite()) return {"corners", "a corner is not finite", "give finite numbers"};
  }
  if (body.through) {
    if (!body.corners.empty()) {
      return {"through", "'through' and 'corners' are given both",
              "an arc has no corners: keep one of them"};
    }
    if (!body.through->allFinite()) return {"through", "it is not finite", "give finite numbers"};
    if (lies_on_the_chord(body)) {
      return {"through", "the point lies on the straight line through start and tip",
              "give a point of the arc beside it, or leave it out for a straight body"};
    }
    const double turn = arc_of(body).angle / body.elements;
    if (turn > M_PI_2) {
      return {"elements", fmt::format("each element would turn by {:.0f} deg", turn * 180.0 / M_PI),
              "elements of an arc turn by 90 deg at most: give more of them"};
    }
  }
  const LineMistake mistake = corner_mistake(body);
  if (!mistake.key.empty()) return mistake;
  if (!body.y_axis.isZero()) {
    if (first_direction(body).normalized().cross(body.y_axis.normalized()).norm() < 1e-6) {
      return {"y_axis", "the direction is along the line", "give one across it"};
    }
  }
  return {};
}

Vector3d first_y_axis(const SpatialBeam& body) {
  return axes_along(first_direction(body), body.y_axis).col(1);
}

BeamLine beam_line(const SpatialBeam& body) {
  return body.through ? curved_line(body) : cornered_line(body);
}

}  // namespace trammel::model
