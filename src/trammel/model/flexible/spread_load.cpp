#include "trammel/model/flexible/spread_load.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/damping.h"
#include "trammel/model/flexible/mesh.h"
#include "trammel/model/frames/carried_frame.h"

namespace trammel::model {
namespace {

using Eigen::Vector2d;

/// Forces at points of one element.
class SpreadLoadElement final : public BlockElement<Planar> {
 public:
  struct Point {
    std::shared_ptr<const CarriedFrame<Planar>> frame;
    Vector2d force;  ///< N; the weight of the point is in it
  };

  SpreadLoadElement(std::vector<Point> points, bool follows)
      : points_(std::move(points)), follows_(follows) {}

  void forces(const Motion& on, Column f) const override {
    for (const Point& point : points_) {
      StrainRows::Matrix P = StrainRows::Matrix::Zero(Planar::freedoms, f.size());
      point.frame->map(on, P);
      f += P.topRows<2>().transpose() * force(on, point);
    }
  }
  bool mass(const Motion& /*on*/, Square /*M*/) const override { return false; }
  bool has_mass() const override { return false; }
  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square /*D*/) const override {
    const Eigen::Index n = K.rows();
    StrainRows::Matrix P(Planar::freedoms, n);
    StrainRows::Matrix change(Planar::freedoms, n);
    for (const Point& point : points_) {
      const Vector2d load = force(on, point);
      P.setZero();
      point.frame->map(on, P);
      for (Eigen::Index i = 0; i < n; ++i) {
        change.setZero();
        const StrainRows::Column unit = StrainRows::Column::Unit(n, i);
        point.frame->map_change(on, unit, change);
        K.col(i) -= change.topRows<2>().transpose() * load;
        if (follows_) K.col(i) -= P(2, i) * (P.topRows<2>().transpose() * perpendicular(load));
      }
    }
  }
  bool depends_on_velocity() const override { return false; }
  ForcePower power(const Motion& on) const override {
    const Eigen::Index n = on.footing.size();
    StrainRows::Column v(n);
    on.velocities(v);
    StrainRows::Matrix P(Planar::freedoms, n);
    double done = 0.0;
    for (const Point& point : points_) {
      P.setZero();
      point.frame->map(on, P);
      done += force(on, point).dot(P.topRows<2>() * v);
    }
    return {.load = done};
  }
  std::string discrete_obstacle() const override { return {}; }

 private:
  Vector2d force(const Motion& on, const Point& point) const {
    if (!follows_) return on.factor * point.force;
    Planar::Kinematics k;
    point.frame->pose(on, k);
    return on.factor * (k.R * point.force);
  }

  std::vector<Point> points_;
  bool follows_;
};

}  // namespace

void add_spread_loads(const FlexibleBody& body,
                      const FlexibleKind& kind,
                      Description& description) {
  const double length = centre_line_length(body);
  for (const SpreadLoad& load : body.loads) {
    for (int k = 0; k < body.elements; ++k) {
      // The part of the element that is loaded, in shares of the whole length.
      const double from = std::max(load.from, static_cast<double>(k) / body.elements);
      const double to = std::min(load.to, static_cast<double>(k + 1) / body.elements);
      if (!(to > from)) continue;
      std::vector<SpreadLoadElement::Point> points;
      Carrier carrier;
      for (const GaussPoint& gauss : gauss_points()) {
        const double along = from + gauss.xi * (to - from);
        const double s = (along - load.from) / (load.to - load.from);
        const Eigen::Vector3d density = load.force + s * (load.force_end - load.force);
        carrier = kind.carrier(body, {k, along * body.elements - k});
        points.push_back({carrier.planar, gauss.weight * (to - from) * length * density.head<2>()});
      }
      description.elements.push_back(
          {.name = fmt::format("{}.{}_{}", body.name, load.name, k + 1),
           .bodies = carrier.bodies,
           .amplitudes = carrier.amplitudes,
           .planar = std::make_shared<SpreadLoadElement>(std::move(points), load.follows),
           .factor = load.factor,
           .factor_path = fmt::format("flexible.{}.loads.{}.factor", body.name, load.name)});
    }
  }
}

}  // namespace trammel::model
